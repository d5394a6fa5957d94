// Values and verdicts in words and in codes.

import { texts } from "./texts.js";

const RANK = ["loss", "draw", "win"];

const UNKNOWN = "?"; // the code of a value of which nothing is known

/** A value as a code of a few characters: W3, D, L4; where it is not proven a bound, ≥D or ≤D, or an estimate, if there is one. */
export function code({ outcome, plies, at_least: least, at_most: most, estimate }) {
  const { letters } = texts;
  if (outcome in letters) return letters[outcome] + (outcome === "draw" ? "" : (plies ?? ""));
  if (least === "draw") return `≥${letters.draw}`;
  return most === "draw" ? `≤${letters.draw}` : signed(estimate) || UNKNOWN;
}

/** Whether there is anything to tell of a value. */
export function isKnown(value) {
  return code(value) !== UNKNOWN;
}

/** A number with its sign: +0.24, −0.08; nothing if there is none. */
export function signed(number) {
  if (number === null || number === undefined) return "";
  const written = Math.abs(number).toFixed(2);
  return `${number < 0 && Number(written) ? "−" : "+"}${decimal(written)}`;
}

/** A number with the decimal sign of the language. */
export function decimal(number) {
  return String(number).replace(".", texts.decimal);
}

/** A value as the end of a sentence about a move or a player, or about a number of moves. */
export function inWords(value, number = 1) {
  const { outcome, estimate } = value;
  if (outcome === "draw") return texts.draws({ number });
  if (outcome === "win") return texts.wins({ number, distance: distance(value) });
  if (outcome === "loss") return texts.loses({ number, distance: distance(value) });
  return texts.unproven({ ...boundsOf(value), estimate: signed(estimate) });
}

/** What a move with this value leads to in a state, as people say it: Red wins in 16 moves, a draw. */
export function outlook(game, state, value) {
  const { outcome } = value;
  if (outcome === "draw") return texts.aDraw;
  if (outcome === "unknown") return inWords(value);
  const winner = game.players[outcome === "win" ? state.turn : 1 - state.turn];
  return texts.playerWins({ player: named(winner), distance: inMoves(value) });
}

/** The moves of the winner to a proven end: 4 moves, 4 to 10 moves; nothing where they are not told. */
function inMoves({ plies, plies_at_least: least, plies_at_most: most }) {
  const moves = (number) => Math.ceil(number / 2);
  return (plies ?? most) ? texts.distanceInMoves({ least: moves(plies ?? least), most: moves(plies ?? most) }) : "";
}

/** The plies to a proven end: 7 plies, 7 to 19 plies; nothing where they are not told. */
function distance({ plies, plies_at_least: least, plies_at_most: most }) {
  return (plies ?? most) ? texts.distance({ least: plies ?? least, most: plies ?? most }) : "";
}

function boundsOf({ at_least: least, at_most: most }) {
  return { holds: least === "draw" || least === "win", isCapped: most === "draw" || most === "loss" };
}

/** What an analysis says of the position as a whole. */
export function headline({ player, ...value }) {
  if (value.outcome === "draw") return texts.drawWithBestPlay;
  if (value.outcome !== "unknown") return `${named(player)} ${inWords(value)}`;
  return texts.notProvenYet({ player: spokenPlayer(player), ...boundsOf(value), estimate: signed(value.estimate) });
}

/** How a match stands, from where the people at the page sit; where the oracle `hasFailed`, nobody is said to be thinking. */
export function status(match, hasFailed = false) {
  const { game, you, state, isOracles, isYours } = match;
  const player = named(match.player);
  if (state.status === "drawn") return texts.drawn;
  if (state.status === "won") return ending(game, you, state.winner);
  if (isOracles) return hasFailed ? texts.noReply({ player }) : texts.thinking({ player });
  if (you === "both") return texts.toMove({ player });
  return isYours ? texts.yourMove({ player: spokenPlayer(match.player) }) : texts.waiting({ player });
}

function ending(game, you, winner) {
  if (you === "both" || you === "none") return texts.hasWon({ player: named(winner) });
  const player = spokenPlayer(winner);
  return winner === game.players[you === "X" ? 0 : 1] ? texts.youHaveWon({ player }) : texts.oracleHasWon({ player });
}

/** A player within a sentence. */
export function spokenPlayer(player) {
  return texts.players[player] ?? player;
}

/** A player at the beginning of a sentence. */
export function named(player) {
  return upper(spokenPlayer(player));
}

/** How a game ended, in a sentence: who did what, and who has won if that was somebody else. */
export function ended(game, state) {
  if (state.status === "drawn") return drawn(game, state);
  const { winner, completer, line } = state;
  if (line === null) return withoutLine(game, state, spokenPlayer(winner));
  const told = { player: named(completer), winner: winner === completer ? "" : spokenPlayer(winner) };
  return game.boards > 1 ? texts.killed(told) : texts.completed({ ...told, line: lineInWords(game, line) });
}

function drawn(game, state) {
  if (state.isBoth) return texts.bothCompleted;
  return game.endedBy(state) === "fullBoard" ? texts.nobodyCompleted : withoutLine(game, state, "");
}

function withoutLine(game, state, winner) {
  return texts[game.endedBy(state)]({ player: named(game.playerOf(state)), winner });
}

function lineInWords(game, line) {
  return game.hasColumns ? texts.inARow({ length: line.length }) : line.map((cell) => game.cellName(cell)).join(", ");
}

/** Words as a sentence. */
export function sentence(words) {
  return `${upper(words)}.`;
}

function upper(text) {
  return `${text[0].toUpperCase()}${text.slice(1)}`;
}

/** Loss, draw, win as -1, 0, 1. */
export function sign(outcome) {
  return RANK.indexOf(outcome) - 1;
}
