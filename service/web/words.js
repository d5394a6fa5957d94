// Values and verdicts in words and in codes.

const LETTERS = { win: "W", draw: "D", loss: "L" };
const VERBS = { win: "wins", draw: "draws", loss: "loses" };
const RANK = ["loss", "draw", "win"];

/** A value as a code of a few characters: W3, D, L4; where it is not proven a bound, ≥D or ≤D, or an estimate. */
export function code({ outcome, plies, at_least: least, at_most: most, estimate }) {
  if (outcome in LETTERS) return LETTERS[outcome] + (outcome === "draw" ? "" : (plies ?? ""));
  if (least === "draw") return "≥D";
  return most === "draw" ? "≤D" : signed(estimate);
}

/** A number with its sign: +0.24, −0.08. */
export function signed(number) {
  return `${number < 0 ? "−" : "+"}${Math.abs(number).toFixed(2)}`;
}

/** A value as the end of a sentence about a move or a player. */
export function inWords(value) {
  const { outcome, at_least: least, at_most: most, estimate } = value;
  if (outcome === "draw") return "draws";
  if (outcome !== "unknown") return `${VERBS[outcome]} in ${distance(value)}`;
  const bound = least !== "loss" ? ", at least a draw" : most !== "win" ? ", at most a draw" : "";
  return `not proven${bound}, estimate ${signed(estimate)}`;
}

/** The plies to a proven end: 7 plies, 7 to 19 plies. */
function distance({ plies, plies_at_least: least, plies_at_most: most }) {
  return plies === null ? `${least} to ${count(most, "ply", "plies")}` : count(plies, "ply", "plies");
}

/** What an analysis says of the position as a whole. */
export function headline({ player, ...value }) {
  const { outcome, at_least: least, at_most: most, estimate } = value;
  if (outcome === "draw") return "A draw with best play";
  if (outcome !== "unknown") return `${player} ${inWords(value)}`;
  const bound = least !== "loss" ? `; ${player} has at least a draw` : most !== "win" ? `; ${player} has at most a draw` : "";
  return `Not proven yet${bound}; estimate for ${player} ${signed(estimate)}`;
}

/**
 * How a match stands, from where the people at the page sit; `standing` is null until the service has told,
 * and where it `hasFailed` to, nobody is said to be thinking.
 */
export function status({ you, player, isOracles, isYours }, standing, hasFailed = false) {
  if (standing?.status === "drawn") return "A draw";
  if (standing?.status === "won") return ending(you, standing.winner);
  if (hasFailed && (isOracles || !standing)) return `${player} to move: the service did not answer`;
  if (isOracles) return `${player} to move: the oracle is thinking`;
  if (you === "both") return `${player} to move`;
  return isYours ? `Your move: ${player}` : `${player} to move: the oracle is waiting`;
}

function ending(you, winner) {
  if (you === "both" || you === "none") return `${winner} has won`;
  return you === winner ? `You have won as ${winner}` : `The oracle has won as ${winner}`;
}

/** What somebody has played and why, as a sentence or two. */
export function played(game, player, { move, reason }) {
  if (reason.startsWith("Drops into ")) return `${player} d${reason.slice(1)}`;
  return `${player} played ${game.moveName(move)}. ${reason}`;
}

/** How many of something. */
export function count(number, one, many) {
  return `${number.toLocaleString("en")} ${number === 1 ? one : many}`;
}

/** Loss, draw, win as -1, 0, 1. */
export function sign(outcome) {
  return RANK.indexOf(outcome) - 1;
}
