// The games that the page knows, by the classes of rules/, which are loaded when they are needed. The service lists
// these in families.js.

import { rules } from "../oracle/api.js";
import { RULES } from "../rules/families.js";
import { LineGame } from "../rules/line.js";
import { OwnLines } from "../rules/own_lines.js";
import { isAllowed, written } from "./parameters.js";
import { en } from "../words/texts_en.js";

const classes = new Map([LineGame, OwnLines].map((Rules) => [Rules.family, Rules])); // those that are here, by family

/** The games of the first visit, as `GET /games` describes them: their boards are there before any answer. */
export const FIRST_GAMES = [
  { id: "tic-tac-toe", rows: 3, columns: 3, in_a_row: 3 },
  { id: "connect-four", rows: 6, columns: 7, in_a_row: 4, gravity: true },
  { id: "qubic", rows: 4, columns: 4, layers: 4, in_a_row: 4 },
  { id: "misere-tic-tac-toe", rows: 3, columns: 3, in_a_row: 3, misere: true },
  { id: "five-in-a-row-6x6", rows: 6, columns: 6, in_a_row: 5 },
].map((shape) => ({ family: LineGame.family, layers: 1, gravity: false, misere: false, wrap: false, ...shape, ...en.games[shape.id] }));

const DIGITS = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"];

/** The letters of a name, without accents, and its digits as words: names are known however they are spelled, as in requests. */
const spelled = (name) => name.normalize("NFKD").toLowerCase().replace(/[^\p{L}\p{N}]/gu, "").replace(/\d/g, (digit) => DIGITS[digit]);

/** What can be played: the games of the catalogue, from `GET /games`, and own rules of its families. */
export class Games {
  #told; // what the service says of each game
  #made = new Map(); // games by their descriptions

  constructor({ games, families = [] }) {
    this.#told = games;
    const own = { family: OwnLines.family, parameters: OwnLines.parameters };
    this.families = families.length ? [...families.filter(({ family }) => isPlayed(family)), own] : [];
  }

  /** Loads the rules of families; all of them, if none are named. */
  async load(...families) {
    const all = [...this.#told, ...this.families].map(({ family }) => family);
    await Promise.all([...new Set(families.length ? families : all)].map(learn));
  }

  /** The games of the catalogue whose rules are here. */
  get listed() {
    return this.#told.map((told) => this.#make(told)).filter(Boolean);
  }

  /** The game of the catalogue with this id or name, if its rules are here. */
  named(name) {
    const told = this.#called(name);
    return told && this.#make(told);
  }

  /** The family of the game with this id or name. */
  familyOf(name) {
    return this.#called(name)?.family;
  }

  #called(name) {
    return this.#told.find((told) => [told.id, told.name].some((each) => spelled(each) === spelled(name)));
  }

  #make(told) {
    if (!this.#made.has(told) && classes.has(told.family)) this.#made.set(told, attempted(told));
    return this.#made.get(told);
  }

  /** What is announced of a family; of that whose rules have these names, if it is not named. */
  announced(family, names = []) {
    const meant = family ?? (names.includes("lines") ? OwnLines : LineGame).family;
    return this.families.find((each) => each.family === meant);
  }

  /** What requests call the game of a family with these values of its parameters; those that are as announced are left out. */
  asked({ family, parameters }, values) {
    const said = parameters.filter(({ name, default: otherwise }) => values[name] !== undefined && values[name] !== otherwise);
    return classes.get(family).asked(Object.fromEntries(said.map(({ name }) => [name, values[name]])));
  }

  /** The same game; null if there is none. What the values leave out is as announced. */
  own(announced, values) {
    const { family, name, about: rules, parameters } = announced;
    const all = Object.fromEntries(parameters.map((each) => [each.name, values[each.name] ?? each.default]));
    if (!parameters.every((parameter) => isAllowed(parameter, all[parameter.name]))) return null;
    const asked = this.asked(announced, values);
    const inQuery = Object.fromEntries(parameters.map((each) => [each.name, each.in_query]));
    const linked = Object.entries(asked).map(([each, value]) => [inQuery[each] ?? each, written(value)]);
    const game = attempted({ id: "custom", family, name, rules, parameters: all, asked, linked });
    return game && game.cells <= game.mostCells && (game.lines.length || !game.hasLines) ? game : null;
  }
}

/** The game of a description, as soon as the rules of its family are here. */
export async function gameOf(description) {
  await learn(description.family);
  return attempted(description);
}

/** The game of a description; null if there is none like that, or its rules are not here. */
function attempted(description) {
  try {
    return new (classes.get(description.family))(description);
  } catch {
    return null;
  }
}

/** Loads the rules of a family, if the page has them and they are not here. */
async function learn(family) {
  if (isPlayed(family) && !classes.has(family)) classes.set(family, await rules(RULES[family]));
}

function isPlayed(family) {
  return classes.has(family) || Object.hasOwn(RULES, family);
}
