// What the service calls its games, families and parameters, in English: in the language of the page where its table has them.

import { element } from "../board/drawing.js";
import { texts } from "./texts.js";

const SOURCE = "en"; // the language of the service

/** Whether the page is in the language of the service. */
export const isSource = () => texts.language === SOURCE;

/** The name of a game. */
export function nameOf(game) {
  return game.isCustom ? (game.ownName ?? ownName(game)) : (texts.games[game.id]?.name ?? game.name);
}

/** A game's name to be shown; marked as English where it is. */
export function titleOf(game) {
  return game.isCustom || texts.games[game.id] ? nameOf(game) : english(game.name);
}

/** What is to be done in a game, in a sentence. */
export function aboutOf(game) {
  if (game.isCustom) return game.ownAbout ?? ownAbout(game);
  return texts.games[game.id]?.rules ?? english(game.about);
}

/** The family, and what of its rules was asked for. */
function ownName({ family, name, asked, parameters }) {
  const told = Object.keys(asked).filter((each) => !["family", "rows", "columns"].includes(each));
  const size = asked.rows || asked.columns ? ` ${parameters.rows}×${parameters.columns}` : "";
  return [`${familyName({ family, name })}${size}`, ...told.map((each) => rule({ family }, { name: each }, asked[each]))].join(", ");
}

/** What the family is, and its rules that were asked for. */
function ownAbout({ family, about, asked }) {
  const told = Object.entries(asked).filter(([name]) => name !== "family").map(([name, value]) => rule({ family }, { name }, value));
  return element("span", {}, aboutFamily({ family, about }), told.length > 0 && ` ${told.join(", ")}.`);
}

function rule(family, parameter, value) {
  const name = parameterName(family, parameter);
  if (value === true) return name;
  return `${name}: ${value === false ? texts.no : choiceName(family, parameter, value)}`;
}

/** The name of a family. */
export function familyName({ family, name }) {
  return texts.families[family]?.name ?? name;
}

/** What a family is, in a sentence to be shown. */
export function aboutFamily({ family, about }) {
  return texts.families[family]?.about ?? english(about);
}

/** The name of a parameter of a family; where no table has it, the service's own. */
export function parameterName(family, parameter) {
  return translated(family, parameter)?.name ?? spaced(parameter.name);
}

/** A value of a parameter in words. */
export function choiceName(family, parameter, choice) {
  return translated(family, parameter)?.choices?.[choice] ?? spaced(String(choice));
}

/** What the table says of a parameter: in this family, else in all that have it. */
export function translated({ family }, { name }) {
  return texts.families[family]?.parameters?.[name] ?? texts.parameters[name];
}

function spaced(name) {
  const text = name.replaceAll(/[_-]/g, " ");
  return `${text[0].toUpperCase()}${text.slice(1)}`;
}

/** Words of the service, to be shown: marked as English in another language. */
export function english(text) {
  return isSource() ? text : element("span", { lang: SOURCE, textContent: text });
}
