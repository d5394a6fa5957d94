// The texts of the page in its language: strings, groups of strings by code, and functions of named values.

import { asked, fileOf, languageOf, preferred } from "./language.js";
import { en } from "./texts_en.js";

const PLACES = {
  text: (node, text) => (node.textContent = text),
  label: (node, text) => (node.ariaLabel = text),
  empty: (node, text) => (node.dataset.none = text), // what the style sheet shows where there is nothing
};

/** The texts of the language that was chosen last. */
export const texts = { ...en };

/** The language that the address asks for, until another one is chosen, and null if it asks for none. */
export const address = { language: null };

const tables = new Map([[en.language, en]]);
const wanted = { language: en.language };

/** Takes the language that a query asks for, else that of the settings or of the browser. */
export function begin(query) {
  address.language = asked(query);
  return speak(preferred(query));
}

/** Changes to the language of a choice; the address asks for no other one any more. */
export function choose(choice) {
  address.language = null;
  return speak(languageOf(choice));
}

/** Changes to a language as soon as its texts are there; without them the page stays as it is. */
async function speak(language) {
  wanted.language = language;
  if (!tables.has(language)) {
    const found = await import(fileOf(language)).catch(() => null);
    if (!found) return;
    tables.set(language, found[language]);
  }
  if (wanted.language === language) put(tables.get(language));
}

function put(table) {
  const root = document.documentElement;
  Object.assign(texts, table);
  if (root.lang === table.language) return; // the document is written in English
  root.lang = table.language;
  for (const [place, write] of Object.entries(PLACES)) {
    for (const node of root.querySelectorAll(`[data-${place}]`)) write(node, textOf(node.dataset[place]));
  }
}

/** The text of a key; that of a group after a dot: levels.casual. */
function textOf(key) {
  return key.split(".").reduce((found, name) => found[name], texts);
}
