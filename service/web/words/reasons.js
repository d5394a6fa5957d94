// What the service says of positions, which is English: its reasons, verdicts and puzzles, in the language of the page.

import { texts } from "./texts.js";
import { english, isSource } from "./translation.js";
import { distance, inWords, sentence } from "./values.js";
import { markName, named } from "./words.js";

const MOST_NAMED = 4; // lines of a sentence; one cell of own rules can be on a thousand

/** What best play gives, in a sentence to be shown. */
export function bestPlayOf(game) {
  const { bestPlay: told, value, players } = game;
  if (told && isSource()) return adapted(game, told);
  if (!value) return texts.noValue;
  if (value.outcome === "draw") return value.plies === null ? texts.valueEndless : texts.valueDraw;
  return texts.valueWin({ player: named(game, players[value.outcome === "win" ? 0 : 1]), distance: distance(value) });
}

/** The reasons for a move of an analysed state, each to be shown. */
export function reasonsOf(game, state, move) {
  return move.reasons.map((reason) => ownReason(game, state, move, reason) ?? english(adapted(game, reason.detail)));
}

/** One sentence about an analysed state. */
export function verdictOf(game, state, { reason, moves }) {
  const best = moves.find((move) => move.best) ?? moves[0];
  return isSource() && reason ? adapted(game, reason) : reasonsOf(game, state, best).map((text) => text.textContent ?? text).join(" ");
}

/** One sentence about an answer with a value: the service's, or that value in the language of the page. */
export function reasonOf(game, { reason, ...value }) {
  return isSource() && reason ? adapted(game, reason) : sentence(inWords(value));
}

/** What to find in a puzzle. */
export function questionOf(game, { question, goal, plies }) {
  if (isSource()) return adapted(game, question);
  return goal === "win" ? texts.findWin({ distance: distance({ plies }) }) : texts.findHold();
}

/** A sentence of the service with the page's names of the players, and distances as the page counts them. */
function adapted(game, text) {
  return text
    .replace(/\b[XO]\b/g, (mark) => markName(game, mark))
    .replace(/(?:(\d+) to )?(\d+) pl(?:y|ies)( instead of )?(\d+)?/g, (_, least, most, instead = "", other) => {
      const told = distance({ plies_at_least: Number(least ?? most), plies_at_most: Number(most) });
      const shorter = other && distance({ plies: Number(other) });
      return shorter && shorter !== told ? `${told}${instead}${parseInt(shorter)}` : told; // single plies may be the same in moves
    });
}

function ownReason(game, state, move, { code, detail, lines }) {
  if (!detail) return sentence(inWords(move));
  const said = texts.reasons[code];
  return said?.({
    lines: list((lines ?? []).map((line) => lineName(game, line))),
    outcome: move.outcome,
    value: inWords(move),
    reply: replyTo(game, state, move),
  });
}

/** The best reply to a move, in words; none where it is not known. */
function replyTo(game, state, { pv }) {
  const [own, reply] = game.movesIn(pv ?? []);
  return reply === undefined ? "" : game.moveInWords(game.play(state, own), reply);
}

function lineName(game, line) {
  const isClassic = game.rows === 3 && game.columns === 3 && game.layers === 1;
  const ends = game.hasColumns ? [...new Set(line.map((cell) => game.columnOf(cell)))].sort((one, other) => one - other).map((column) => column + 1) : line.map((cell) => game.cellName(cell));
  return (isClassic && texts.lines[line]) || `${texts.lines.other} ${ends.join("–")}`;
}

/** Names as a list within a sentence, of many the first and how many more there are. */
function list(names) {
  const more = names.length - MOST_NAMED;
  const [last, ...rest] = [...names.slice(0, MOST_NAMED), ...(more > 0 ? [texts.more({ number: more })] : [])].reverse();
  return rest.length ? `${rest.reverse().join(", ")} ${texts.and} ${last}` : (last ?? "");
}
