// How a match stands and who plays, in words.

import { texts } from "./texts.js";

/** How a match stands, from the side of the users; if the oracle `hasFailed`, it is not shown as thinking. */
export function status(match, hasFailed = false) {
  const { game, you, state, isOracles, isYours } = match;
  const player = named(game, match.player);
  if (state.status === "drawn") return texts.drawn;
  if (state.status === "won") return ending(game, you, state.winner);
  if (isOracles) return hasFailed ? texts.noReply({ player }) : texts.thinking();
  if (you === "both") return texts.toMove({ player });
  return isYours ? texts.yourMove({ player: spokenPlayer(game, match.player) }) : texts.waiting();
}

function ending(game, you, winner) {
  if (you === "both" || you === "none") return texts.hasWon({ player: named(game, winner) });
  const player = spokenPlayer(game, winner);
  return winner === game.players[you === "X" ? 0 : 1] ? texts.youHaveWon({ player }) : texts.oracleHasWon({ player });
}

/** A player of a game within a sentence: the colour of the discs, where there are any. */
export function spokenPlayer(game, player) {
  return texts.players[player] ?? markName(game, player);
}

/** What a mark on the board is called: the colour of a disc, else the mark itself. */
export function markName({ hasDiscs }, mark) {
  return (hasDiscs && texts.discs[mark]) || mark;
}

/** A player at the beginning of a sentence. */
export function named(game, player) {
  return upper(spokenPlayer(game, player));
}

/** How a game ended, in a sentence: the last player's deed, and the winner if that is the other player. */
export function ended(game, state) {
  if (state.status === "drawn") return drawn(game, state);
  const { winner, completer, line } = state;
  if (line === null) return withoutLine(game, state, spokenPlayer(game, winner));
  const told = { player: named(game, completer), winner: winner === completer ? "" : spokenPlayer(game, winner) };
  return game.boards > 1 ? texts.killed(told) : texts.completed({ ...told, line: lineInWords(game, line) });
}

function drawn(game, state) {
  if (state.isBoth) return texts.bothCompleted;
  return game.endedBy(state) === "fullBoard" ? texts.nobodyCompleted : withoutLine(game, state, "");
}

function withoutLine(game, state, winner) {
  return texts[game.endedBy(state)]({ player: named(game, game.playerOf(state)), winner });
}

function lineInWords(game, line) {
  return game.hasColumns ? texts.inARow({ length: line.length }) : line.map((cell) => game.cellName(cell)).join(", ");
}

/** What was played last in a match, in a sentence. */
export function playedLast({ game, states, moves, ply }) {
  const before = states[ply - 1];
  return texts.played({ player: named(game, game.playerOf(before)), move: game.moveInWords(before, moves[ply - 1]) });
}

/** A text with a capital at its beginning. */
export function upper(text) {
  return `${text[0].toUpperCase()}${text.slice(1)}`;
}
