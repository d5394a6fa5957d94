// The language of the page: that of the link, else that of the settings, else the first of the browser's that there is.
// English stands in the document; the texts of each other language are a file that a `meta` of the document names.

import { remembered } from "../play/preferences.js";

const ENGLISH = "en";

/** The language that a query asks for; null if it asks for none that there is. */
export function asked(query) {
  return known(new URLSearchParams(query).get("lang"));
}

/** The language of a choice: itself, or the browser's. */
export function languageOf(choice) {
  return [choice, ...navigator.languages].map(known).find(Boolean) ?? ENGLISH;
}

/** The language for a query: that which it asks for, else that of the settings. */
export function preferred(query) {
  return asked(query) ?? languageOf(remembered("language", null));
}

/** The address of the texts of a language; none for English. */
export function fileOf(language) {
  return document.querySelector(`meta[name=texts-${language}]`)?.content;
}

function known(tag) {
  const [language] = String(tag).toLowerCase().split("-");
  return /^[a-z]+$/.test(language) && (language === ENGLISH || fileOf(language)) ? language : null;
}
