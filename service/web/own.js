// Own rules: a game that somebody describes in the form of the page or in a link.

import { gameOf } from "./games.js";

const MOST_CELLS = 64;

/** The game with these rules, as requests give them: a grid, or cells and lines. Null if there is no such game. */
export function customGame(asked) {
  const isGrid = !asked.lines;
  const size = isGrid ? asked.rows * asked.columns * (asked.layers ?? 1) : asked.cells;
  if (!(size > 0 && size <= MOST_CELLS)) return null;
  if (!isGrid && asked.lines.flat().some((cell) => !(cell >= 0 && cell < asked.cells))) return null;
  const shape = isGrid ? asked : { ...shapeOf(asked.cells), lines: asked.lines, misere: asked.misere };
  const game = gameOf({ id: "custom", family: "line", ...shape, asked });
  return game.lines.length ? game : null;
}

/** A board for cells without a shape: a square if they fill one, else one row. */
function shapeOf(cells) {
  const side = Math.sqrt(cells);
  return Number.isInteger(side) ? { rows: side, columns: side } : { rows: 1, columns: cells };
}
