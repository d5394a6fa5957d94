// The hint overlay: what an analysis says, place by place.

import { texts } from "../words/texts.js";
import { isKnown, outlook } from "../words/values.js";
import { numbers } from "../game/geometry.js";

const SOON = 5; // plies of the best line that are shown on the board
const FADING = 16; // plies in which a result loses most of its colour
const RANK = { win: 2, draw: 1, unknown: 0, loss: -1 };

/**
 * What the board is to show of an analysis, or of none, of the position of a match: `values` by place, null if they are not wanted; `hints` by cell,
 * with `order` and `mark` where the best line comes by and `threats`, the players who would complete a line there; and the `arrows` of pieces.
 * `aim` returns the meaning of a tap on a cell, with one of the available choices.
 */
export function hinted({ game, state, hints: wanted }, analysis, aim) {
  const values = wanted.has("values") ? new Map() : null;
  const hints = new Map();
  const add = (cell, hint) => hints.set(cell, { ...hints.get(cell), ...hint });
  if (!analysis) return { values, hints, arrows: [] };
  if (values) for (const { place, ...value } of valuesOf(game, state, analysis, aim)) values.set(place, [...(values.get(place) ?? []), value]);
  const line = lineOf(game, state, analysis);
  if (wanted.has("line")) for (const { cell, order, mark } of line) add(cell, { order, mark });
  if (wanted.has("threats")) {
    for (const [player, found] of Object.entries(analysis.threats ?? {})) {
      for (const cell of found) add(cell, { threats: [...(hints.get(cell)?.threats ?? []), player] });
    }
  }
  const shown = wanted.has("line") ? SOON : values ? 1 : 0;
  return { values, hints, arrows: line.filter(({ order, from }) => order <= shown && from !== null) };
}

/**
 * What a tap on each place is worth, with each of the choices: the move there, or the best move of the piece; nothing where all moves look alike.
 * A place is a cell, or the column where moves have those. `strength` is from 0 to 1: the more, the nearer the end, or the surer an estimate.
 */
function valuesOf(game, state, analysis, aim) {
  const byMove = new Map(analysis.moves.map((move) => [String(game.moveIn(move)), move]));
  const isChoice = analysis.moves.some(({ best }) => !best);
  if (!analysis.moves.some(isKnown) || (!isChoice && analysis.outcome === "unknown")) return [];
  const choices = game.choices(state);
  const found = new Map();
  for (const cell of numbers(game.hasColumns ? game.columns : game.cells)) {
    for (const choice of choices.length ? choices : [null]) {
      const meant = aim(cell, choice);
      const value = meant && (meant.move === undefined ? bestFrom(game, byMove, meant.from ?? cell) : byMove.get(String(meant.move)));
      if (!value || !isKnown(value)) continue;
      const place = game.hasColumns ? cell : (meant.cell ?? cell);
      const words = `${choice ? `${texts.choices[choice] ?? choice}: ` : ""}${outlook(game, state, value)}`;
      found.set(`${place} ${choice}`, { place, sign: choice && (game.signs[choice] ?? choice), best: value.best && isChoice, same: !isChoice, ...look(value), words });
    }
  }
  return [...found.values()];
}

/** The tone and the strength of a value; an estimate has the tone of what is likely. */
function look(value) {
  const { outcome, estimate, plies, plies_at_most: most } = value;
  if (outcome === "draw") return { kind: outcome, strength: 0.6 };
  if (outcome !== "unknown") return { kind: outcome, strength: 0.3 + 0.7 * Math.exp(-(plies ?? most ?? FADING) / FADING) };
  return { kind: Math.abs(estimate ?? 0) < 0.1 ? "draw" : estimate > 0 ? "win" : "loss", strength: 0.3 + 0.4 * Math.abs(estimate ?? 0), isEstimate: true };
}

function bestFrom(game, byMove, from) {
  const own = [...byMove].filter(([move]) => game.isOf(move, from)).map(([, value]) => value);
  return own.sort((one, other) => other.best - one.best || RANK[other.outcome] - RANK[one.outcome])[0];
}

function lineOf(game, state, { pv }) {
  const moves = game.movesIn(pv).slice(0, SOON);
  const states = game.follow(state, moves).slice(1);
  const all = states.map(({ newest, cells }, index) => ({ cell: newest, order: index + 1, mark: cells[newest], from: game.originOf(moves[index]) }));
  const isFirst = ({ cell }, index) => all.findIndex((other) => other.cell === cell) === index; // pieces come back
  return all.filter((move, index) => move.cell !== null && !state.cells[move.cell] && isFirst(move, index));
}
