// The hint overlay: what an analysis says, cell by cell.

import { opponentOf } from "./game.js";
import { code, inWords } from "./words.js";

/**
 * The hints of each cell that has any, by cell: `code`, `kind` and `words` of the move there, `best` if others are worse; `order` and `mark` where
 * the best line comes by; `threats`, the players who would complete a line there.
 */
export function overlay(analysis, hints) {
  const cells = new Map();
  const add = (cell, hint) => cells.set(cell, { ...cells.get(cell), ...hint });
  const isChoice = analysis.moves.some(({ best }) => !best);
  if (hints.has("values")) for (const move of analysis.moves) add(move.move, valueOf(move, isChoice));
  if (hints.has("line")) lineOf(analysis).forEach(({ cell, ...ghost }) => add(cell, ghost));
  if (hints.has("threats")) {
    for (const player of ["X", "O"]) {
      for (const cell of analysis.threats[player]) add(cell, { threats: [...(cells.get(cell)?.threats ?? []), player] });
    }
  }
  return cells;
}

/** A cell's hints for those who listen, as the rest of a sentence that names the cell. */
export function spoken(hint) {
  return [
    hint.words && `${hint.words}${hint.best ? ", best" : ""}`,
    hint.order && `move ${hint.order} of the best line`,
    ...(hint.threats ?? []).map((player) => `${player} could complete a line here`),
  ].filter(Boolean);
}

function valueOf(move, isChoice) {
  return { code: code(move), kind: move.outcome, best: move.best && isChoice, words: inWords(move) };
}

function lineOf({ pv, player }) {
  return pv.map((cell, index) => ({ cell, order: index + 1, mark: index % 2 ? opponentOf(player) : player }));
}
