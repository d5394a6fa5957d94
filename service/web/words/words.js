// Values and verdicts in words and in codes.

import { remembered } from "../play/preferences.js";
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
  return texts.playerWins({ player: named(game, winner), distance: distance(value) });
}

/** How far a proven end is, in moves of the winner: 4 moves, 4 to 10 moves; nothing where that is not told. */
export function distance({ plies, plies_at_least: least, plies_at_most: most }) {
  if (!(plies ?? most)) return "";
  const inPlies = remembered("plies", false);
  const [from, to] = [plies ?? least, plies ?? most].map((number) => (inPlies ? number : Math.ceil(number / 2)));
  return (inPlies ? texts.distanceInPlies : texts.distance)({ least: from, most: to });
}

function boundsOf({ at_least: least, at_most: most }) {
  return { holds: least === "draw" || least === "win", isCapped: most === "draw" || most === "loss" };
}

/** What an analysis says of the position as a whole. */
export function headline(game, { player, ...value }) {
  if (value.outcome === "draw") return texts.drawWithBestPlay;
  if (value.outcome === "loss") return headline(game, { ...value, player: game.players.find((other) => other !== player), outcome: "win" });
  if (value.outcome === "win") return `${named(game, player)} ${inWords(value)}`;
  return texts.notProvenYet({ player: spokenPlayer(game, player), ...boundsOf(value), estimate: signed(value.estimate) });
}

/** How a match stands, from where the people at the page sit; where the oracle `hasFailed`, nobody is said to be thinking. */
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

/** How a game ended, in a sentence: who did what, and who has won if that was somebody else. */
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

/** Words as a sentence. */
export function sentence(words) {
  return `${upper(words)}.`;
}

/** A text with a capital at its beginning. */
export function upper(text) {
  return `${text[0].toUpperCase()}${text.slice(1)}`;
}

/** Loss, draw, win as -1, 0, 1. */
export function sign(outcome) {
  return RANK.indexOf(outcome) - 1;
}
