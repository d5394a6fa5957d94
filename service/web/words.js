// Values and verdicts in words and in codes.

const LETTERS = { win: "W", draw: "D", loss: "L" };
const VERBS = { win: "wins", draw: "draws", loss: "loses" };
const RANK = ["loss", "draw", "win"];

/** A value as a code of a few characters: W3, D, L4; where it is not proven a bound, ≥D or ≤D, or a question mark. */
export function code({ outcome, plies, at_least: least = "loss", at_most: most = "win" }) {
  if (outcome in LETTERS) return LETTERS[outcome] + (outcome === "draw" ? "" : (plies ?? ""));
  if (least === most) return LETTERS[least];
  if (least === "draw") return "≥D";
  return most === "draw" ? "≤D" : "?";
}

/** Whether nothing is left to prove of a value: a draw needs no distance. */
export function isSettled(value) {
  return value.proven || kind(value) === "draw";
}

/** The class that colours a value: win, draw, loss or unknown. */
export function kind({ outcome, at_least: least, at_most: most }) {
  return outcome === "unknown" && least && least === most ? least : outcome;
}

/** A value as the end of a sentence about a move or a player. */
export function inWords(value) {
  const { plies, at_least: least = "loss", at_most: most = "win" } = value;
  const known = kind(value);
  if (known === "draw") return "draws";
  if (known !== "unknown") return plies === null ? `${VERBS[known]}, distance not proven` : `${VERBS[known]} in ${count(plies, "ply", "plies")}`;
  if (least !== "loss") return "not proven, at least a draw";
  return most !== "win" ? "not proven, at most a draw" : "not proven";
}

/** What an analysis says of the position as a whole. */
export function headline(analysis) {
  const { player } = analysis;
  const known = kind(analysis);
  if (known === "draw") return "A draw with best play";
  if (known !== "unknown") return `${player} ${inWords(analysis)}`;
  const bound = inWords(analysis).replace("not proven", "").replace(", ", `${player} has `);
  return `Not proven yet${bound && `; ${bound}`}`;
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
