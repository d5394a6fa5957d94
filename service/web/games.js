// The games that the page knows: each family's class is listed here, and nowhere else.

import { Exactly } from "./rules/exactly.js";
import { LineGame } from "./rules/line.js";
import { Morris } from "./rules/morris.js";
import { Notakto } from "./rules/notakto.js";
import { Numerical } from "./rules/numerical.js";
import { OrderAndChaos } from "./rules/order_and_chaos.js";
import { PopOut } from "./rules/pop_out.js";
import { Vanishing } from "./rules/vanishing.js";
import { Wild } from "./rules/wild.js";
import { en } from "./texts_en.js";

const CLASSES = [LineGame, Wild, Notakto, OrderAndChaos, Numerical, Vanishing, Morris, PopOut, Exactly];

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

/** The game of a description; null if the page does not know its family. */
export function gameOf(description) {
  const Known = CLASSES.find(({ family }) => family === description.family);
  return Known ? new Known(description) : null;
}

/** The games of these descriptions; those that the page does not know are left out. */
export function gamesOf(descriptions) {
  return descriptions.flatMap((description) => {
    try {
      return gameOf(description) ?? [];
    } catch {
      return [];
    }
  });
}
