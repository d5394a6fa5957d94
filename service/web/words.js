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
  if (outcome !== "unknown") return `${named(player)} ${inWords(value)}`;
  const bound = least !== "loss" ? `; ${player} has at least a draw` : most !== "win" ? `; ${player} has at most a draw` : "";
  return `Not proven yet${bound}; estimate for ${player} ${signed(estimate)}`;
}

/** How a match stands, from where the people at the page sit; where the oracle `hasFailed`, nobody is said to be thinking. */
export function status(match, hasFailed = false) {
  const { game, you, player, state, isOracles, isYours } = match;
  if (state.status === "drawn") return "A draw";
  if (state.status === "won") return ending(game, you, state.winner);
  if (isOracles && hasFailed) return `${named(player)} to move: the service did not answer`;
  if (isOracles) return `${named(player)} to move: the oracle is thinking`;
  if (you === "both") return `${named(player)} to move`;
  return isYours ? `Your move: ${player}` : `${named(player)} to move: the oracle is waiting`;
}

function ending(game, you, winner) {
  if (you === "both" || you === "none") return `${named(winner)} has won`;
  return winner === game.players[you === "X" ? 0 : 1] ? `You have won as ${winner}` : `The oracle has won as ${winner}`;
}

/** A player at the beginning of a sentence. */
export function named(player) {
  return `${player[0].toUpperCase()}${player.slice(1)}`;
}

/** How a game ended, in a sentence. */
export function ended(game, { status, winner, line, newest }) {
  if (status === "drawn") return "Nobody has completed a line.";
  const cells = line && (game.hasColumns ? `${line.length} in a row` : line.map((cell) => game.cellName(cell)).join(", "));
  if (!line) return `${named(winner)} has won.`;
  const owner = line.includes(newest) && game.misere ? `, so ${winner} wins` : "";
  return `${game.misere ? "Completed" : `${named(winner)} has completed`} ${cells}${owner}.`;
}

/** How many of something. */
export function count(number, one, many) {
  const digits = String(number).replace(/\B(?=(\d{3})+$)/g, ","); // the browser's own way loads its tables of languages
  return `${digits} ${number === 1 ? one : many}`;
}

/** Loss, draw, win as -1, 0, 1. */
export function sign(outcome) {
  return RANK.indexOf(outcome) - 1;
}
