// The texts of the page in its language: strings, groups of strings by code, and functions of named values.

import { asked, fileOf, languageOf, preferred } from "./language.js";
import { en } from "./texts_en.js";

const PLACES = { text: "textContent", label: "ariaLabel" }; // properties of elements, by what of them has the key of a text

/** The texts of the language that was chosen last. */
export const texts = { ...en };

/** The language that the address asks for, until another one is chosen, and null if it asks for none. */
export const address = { language: null };

const tables = new Map([[en.language, en]]);
const written = {}; // the English texts of the document, by key
const wanted = { language: en.language };

/** Adds the English texts of a part of the page; the tables of other languages have them. */
export function add(english) {
  Object.assign(en, english);
  if (texts.language === en.language) Object.assign(texts, english);
}

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
  for (const [place, property] of Object.entries(PLACES)) {
    for (const node of root.querySelectorAll(`[data-${place}]`)) {
      const key = node.dataset[place];
      written[key] ??= node[property];
      node[property] = textOf(table, key) ?? written[key];
    }
  }
}

/** The text of a key, if a table has it; that of a group after a dot: levels.casual. */
function textOf(table, key) {
  return key.split(".").reduce((found, name) => found?.[name], table);
}
