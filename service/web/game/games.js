// The games that the page knows, by the classes of rules/. The service lists these in families.js.

import { CLASSES } from "../rules/families.js";
import { LineGame } from "../rules/line.js";
import { OwnLines } from "../rules/own_lines.js";
import { isAllowed, written } from "./parameters.js";
import { en } from "../words/texts_en.js";

const MOST_CELLS = 64;

/** The game of the first visit, as `GET /games` describes it: its board is there before any answer. */
export const TIC_TAC_TOE = {
  id: "tic-tac-toe",
  ...en.games["tic-tac-toe"],
  family: LineGame.family,
  rows: 3,
  columns: 3,
  layers: 1,
  in_a_row: 3,
  gravity: false,
  misere: false,
  wrap: false,
  value: { outcome: "draw", plies: 9 },
};

/** What can be played: the games of the catalogue as `GET /games` tells it, and own rules of the families there. */
export class Games {
  constructor({ games, families = [] }) {
    this.listed = games.map(attempted).filter(Boolean);
    const own = CLASSES.filter(({ parameters }) => parameters).map(({ family, parameters }) => ({ family, parameters }));
    this.families = families.length ? [...families.filter(({ family }) => classOf(family)), ...own] : [];
  }

  /** The game of the catalogue with this id. */
  named(id) {
    return this.listed.find((game) => game.id === id);
  }

  /** What is announced of a family; of that whose rules have these names, if it is not named. */
  announced(family, names = []) {
    const meant = family ?? (names.includes("lines") ? OwnLines : LineGame).family;
    return this.families.find((each) => each.family === meant);
  }

  /** What requests call the game of a family with these values of its parameters; those that are as announced are left out. */
  asked({ family, parameters }, values) {
    const said = parameters.filter(({ name, default: otherwise }) => values[name] !== undefined && values[name] !== otherwise);
    return classOf(family).asked(Object.fromEntries(said.map(({ name }) => [name, values[name]])));
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
    return game && game.cells <= MOST_CELLS && (game.lines.length || !game.hasLines) ? game : null;
  }
}

/** The game of a description; null if the page does not know its family. */
export function gameOf(description) {
  const Known = classOf(description.family);
  return Known ? new Known(description) : null;
}

function attempted(description) {
  try {
    return gameOf(description);
  } catch {
    return null;
  }
}

function classOf(name) {
  return CLASSES.find(({ family }) => family === name);
}
