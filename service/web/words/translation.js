// What the service says, which is English: its games and reasons, in the language of the page where its table has them.

import { element } from "../board/drawing.js";
import { texts } from "./texts.js";
import { distance, inWords, markName, named, sentence } from "./words.js";

const SOURCE = "en"; // the language of the service
const MOST_NAMED = 4; // lines of a sentence; one cell of own rules can be on a thousand

const isSource = () => texts.language === SOURCE;

/** The name of a game. */
export function nameOf(game) {
  return game.isCustom ? (game.ownName ?? ownName(game)) : (texts.games[game.id]?.name ?? game.name);
}

/** A game's name to be shown; marked as English where it is. */
export function titleOf(game) {
  return game.isCustom || texts.games[game.id] ? nameOf(game) : english(game.name);
}

/** What is to be done in a game, in a sentence. */
export function aboutOf(game) {
  if (game.isCustom) return game.ownAbout ?? ownAbout(game);
  return texts.games[game.id]?.rules ?? english(game.about);
}

/** The family, and what of its rules was asked for. */
function ownName({ family, name, asked, parameters }) {
  const told = Object.keys(asked).filter((each) => !["family", "rows", "columns"].includes(each));
  const size = asked.rows || asked.columns ? ` ${parameters.rows}×${parameters.columns}` : "";
  return [`${familyName({ family, name })}${size}`, ...told.map((each) => rule({ family }, { name: each }, asked[each]))].join(", ");
}

/** What the family is, and its rules that were asked for. */
function ownAbout({ family, about, asked }) {
  const told = Object.entries(asked).filter(([name]) => name !== "family").map(([name, value]) => rule({ family }, { name }, value));
  return element("span", {}, aboutFamily({ family, about }), told.length > 0 && ` ${told.join(", ")}.`);
}

function rule(family, parameter, value) {
  const name = parameterName(family, parameter);
  if (value === true) return name;
  return `${name}: ${value === false ? texts.no : choiceName(family, parameter, value)}`;
}

/** The name of a family. */
export function familyName({ family, name }) {
  return texts.families[family]?.name ?? name;
}

/** What a family is, in a sentence to be shown. */
export function aboutFamily({ family, about }) {
  return texts.families[family]?.about ?? english(about);
}

/** The name of a parameter of a family; where no table has it, the service's own. */
export function parameterName(family, parameter) {
  return translated(family, parameter)?.name ?? spaced(parameter.name);
}

/** What a parameter means, to be shown. */
export function aboutParameter(family, parameter) {
  return translated(family, parameter)?.about ?? english(parameter.about.replaceAll("`", ""));
}

/** Which values a parameter may have, and which it has if nothing is said. */
export function rangeOf(family, { kind, minimum, maximum, default: usual, ...parameter }) {
  const told = [kind === "integer" && texts.range({ least: minimum, most: maximum }), ![null, true, false].includes(usual) && texts.usual({ value: choiceName(family, parameter, usual) })];
  return told.some(Boolean) ? ` (${told.filter(Boolean).join("; ")})` : "";
}

/** A value of a parameter in words. */
export function choiceName(family, parameter, choice) {
  return translated(family, parameter)?.choices?.[choice] ?? spaced(String(choice));
}

/** What the table says of a parameter: in this family, else in all that have it. */
function translated({ family }, { name }) {
  return texts.families[family]?.parameters?.[name] ?? texts.parameters[name];
}

function spaced(name) {
  const text = name.replaceAll(/[_-]/g, " ");
  return `${text[0].toUpperCase()}${text.slice(1)}`;
}

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
      return `${told}${instead}${other ? parseInt(distance({ plies: Number(other) })) : ""}`;
    });
}

/** Words of the service, to be shown: marked as English in another language. */
export function english(text) {
  return isSource() ? text : element("span", { lang: SOURCE, textContent: text });
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
