// The hint overlay: what an analysis says, cell by cell.

import { texts } from "../words/texts.js";
import { code, inWords, isKnown, spokenPlayer } from "../words/words.js";

const SOON = 5; // plies of the best line that are shown on the board
const RANK = { win: 2, draw: 1, unknown: 0, loss: -1 };

/** What the board is to show of an analysis, or of none, of the position of a match. */
export function hinted({ game, state, hints }, analysis, aim) {
  if (!analysis) return { hints: new Map(), arrows: [], values: hints.has("values") };
  return { hints: overlay(game, state, analysis, hints, aim), arrows: arrowsOf(game, state, analysis, hints), values: hints.has("values") };
}

/** The ways of pieces, each `from` a point to a `cell` and of which `mark`: of the best move, and with the best line of its moves. */
function arrowsOf(game, state, analysis, hints) {
  const moves = hints.has("line") ? SOON : hints.has("values") ? 1 : 0;
  return lineOf(game, state, analysis).filter(({ order, from }) => order <= moves && from !== null);
}

/**
 * The hints of each cell that has any, by cell: `code`, `kind` and `words` of the move there, `best` if others are worse; `order` and `mark` where
 * the best line comes by; `threats`, the players who would complete a line there. `aim` tells what a tap on a cell would mean.
 */
export function overlay(game, state, analysis, hints, aim) {
  const cells = new Map();
  const add = (cell, hint) => cells.set(cell, { ...cells.get(cell), ...hint });
  if (hints.has("values")) for (const [cell, value] of valuesOf(game, analysis, aim)) add(cell, value);
  if (hints.has("line")) for (const { cell, order, mark } of lineOf(game, state, analysis)) add(cell, { order, mark });
  if (hints.has("threats")) {
    for (const [player, found] of Object.entries(analysis.threats ?? {})) {
      for (const cell of found) add(cell, { threats: [...(cells.get(cell)?.threats ?? []), player] });
    }
  }
  return cells;
}

/** A cell's hints for those who listen, as the rest of a sentence that names the cell. */
export function spoken(hint) {
  return [
    hint.words && `${hint.words}${hint.best ? `, ${texts.best}` : ""}`,
    hint.order && texts.orderInLine({ order: hint.order }),
    ...(hint.threats ?? []).map((player) => texts.couldComplete({ player: spokenPlayer(player) })),
  ].filter(Boolean);
}

/** What a tap on each cell is worth: its move, or the best move of the piece there; nothing where all moves look alike. */
function valuesOf(game, analysis, aim) {
  const byMove = new Map(analysis.moves.map((move) => [String(game.moveIn(move)), move]));
  const isChoice = analysis.moves.some(({ best }) => !best);
  if (!analysis.moves.some(isKnown) || (!isChoice && analysis.outcome === "unknown")) return [];
  const found = [];
  for (let cell = 0; cell < game.cells; cell += 1) {
    const meant = aim(cell);
    const value = meant && (meant.move === undefined ? bestFrom(game, byMove, meant.from ?? cell) : byMove.get(String(meant.move)));
    if (!value) continue;
    found.push([meant.cell ?? cell, { code: code(value), kind: value.outcome, best: value.best && isChoice, same: !isChoice, words: inWords(value) }]);
  }
  return found;
}

function bestFrom(game, byMove, point) {
  const own = [...byMove].filter(([move]) => game.originOf(move) === point).map(([, value]) => value);
  return own.sort((one, other) => other.best - one.best || RANK[other.outcome] - RANK[one.outcome])[0];
}

function lineOf(game, state, { pv }) {
  const moves = game.movesIn(pv).slice(0, SOON);
  const states = game.follow(state, moves).slice(1);
  const all = states.map(({ newest, cells }, index) => ({ cell: newest, order: index + 1, mark: cells[newest], from: game.originOf(moves[index]) }));
  const isFirst = ({ cell }, index) => all.findIndex((other) => other.cell === cell) === index; // pieces come back
  return all.filter((move, index) => move.cell !== null && !state.cells[move.cell] && isFirst(move, index));
}
