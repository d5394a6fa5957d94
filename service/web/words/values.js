// Values in words.

import { remembered } from "../play/preferences.js";
import { parts } from "./parts_en.js";
import { add, texts } from "./texts.js";
import { named, spokenPlayer, upper } from "./words.js";

add(parts); // every element with parts shows values

const RANK = ["loss", "draw", "win"];

/** Whether a value has anything to show. */
export function isKnown({ outcome, at_least: least, at_most: most, estimate }) {
  return outcome !== "unknown" || least === "draw" || most === "draw" || signed(estimate) !== "";
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

/** How far a proven end is, in moves of the winner: 4 moves, 4 to 10 moves; nothing where that is unknown. */
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

/** Words as a sentence. */
export function sentence(words) {
  return `${upper(words)}.`;
}

/** Loss, draw, win as -1, 0, 1. */
export function sign(outcome) {
  return RANK.indexOf(outcome) - 1;
}
