// The address: everything that a link must say to show the same match elsewhere.

import { HINTS, MOST_SEED } from "./match.js";
import { valueIn } from "./parameters.js";
import { address } from "../words/texts.js";

const PLAYED = ["play", "puzzles"]; // modes in which the user has a side
const PLAYS = ["X", "O", "both", "none"];
const DEFAULTS = { game: "tic-tac-toe", you: "X", skill: 100 };
const FIRST = { you: "X", skill: 30, hints: [] }; // of a first visit: the oracle can be beaten
const ANALYSED = ["values"]; // the hints of an analysis, if nothing else is said
const OWN = ["family", "rows", "lines"]; // each of them means rules that are not in the catalogue
const POSITION = ["moves", "drops", "board", "hints"]; // each of them means a link to a position
const OF_MATCH = ["game", "moves", "drops", "ply", "you", "seed", "board", "player", "hints", ...OWN]; // a link with one of them is no first visit

/**
 * The match in the query of an address; what is missing or invalid is as in a new match, and without any match as `usual`. A
 * link to a position is analysed, unless it says who plays or is always played.
 */
export async function read(query, known, { usual = {}, isPlayed = false } = {}) {
  const asked = new URLSearchParams(query);
  const has = (name) => asked.has(name);
  const isAnalysis = !isPlayed && !has("you") && POSITION.some(has);
  const { you, skill, hints } = OF_MATCH.some(has) ? { ...DEFAULTS, hints: isAnalysis ? ANALYSED : [] } : { ...FIRST, ...usual };
  const family = isOwn(asked) ? familyIn(asked, known)?.family : known.familyOf(asked.get("game") ?? DEFAULTS.game);
  const missing = await known.load(family).catch((error) => error); // why the rules of its game are not here
  const game = gameOf(asked, known);
  const moves = game ? (has("drops") ? game.read(asked.get("drops")) : game.readList(asked.get("moves") ?? "")) : [];
  return {
    name: asked.get("game") ?? asked.get("family"),
    isOwn: isOwn(asked) && Boolean(familyIn(asked, known)),
    game,
    missing,
    setup: game && setupOf(asked.get("board"), asked.get("player"), game),
    moves,
    ply: whole(asked.get("ply"), moves.length, moves.length),
    mode: isAnalysis ? "analyse" : "play",
    you: isAnalysis ? "both" : PLAYS.includes(asked.get("you")) ? asked.get("you") : you,
    skill: whole(asked.get("skill"), 100, skill),
    seed: whole(asked.get("seed"), MOST_SEED, null),
    hints: has("hints") ? HINTS.filter((hint) => asked.get("hints").split(",").includes(hint)) : hints,
  };
}

/** The query of a match, with the defaults left out. */
export function write({ game, setup, moves, ply, mode, you, skill, seed, hints }) {
  const isAnalysis = !PLAYED.includes(mode);
  const shown = HINTS.filter((hint) => hints.has(hint)).join();
  const isPosition = setup !== null || moves.length > 0 || shown !== "";
  const said = [
    ...game.linked.map((each) => [...each, true]),
    ["board", setup && game.textOf(game.setUp(setup)), setup],
    ["player", setup && game.players[setup.turn], setup],
    [...record(game, moves), moves.length > 0 || (isAnalysis && !setup)],
    ["ply", ply, ply < moves.length],
    ["you", you, !isAnalysis && (isPosition || you !== DEFAULTS.you)],
    ["skill", skill, !isAnalysis && skill !== DEFAULTS.skill],
    ["seed", seed, !isAnalysis && seed !== null],
    ["hints", shown, shown !== (isAnalysis ? ANALYSED.join() : "")],
    ["lang", address.language, address.language !== null],
  ];
  return `?${said.filter(([, , worth]) => worth).map(([name, value]) => `${name}=${value}`).join("&")}`;
}

/** The parameter with the moves, and its value. */
export function record(game, moves) {
  return [game.hasDigits ? "drops" : "moves", String(game.written(moves))];
}

/** Puts a match into the address, and the other lines that were looked at beside it. */
export function put(match, lines) {
  try {
    history.replaceState({ lines }, "", write(match));
  } catch {
    // Some browsers limit the changes in half a minute; then the address lags, and the game continues.
  }
}

function gameOf(asked, known) {
  if (!isOwn(asked)) return known.named(asked.get("game") ?? DEFAULTS.game);
  const announced = familyIn(asked, known);
  if (!announced) return null;
  const said = announced.parameters.filter((each) => asked.has(each.in_query)).map((each) => [each.name, valueIn(each, asked.get(each.in_query))]);
  return said.every(([, value]) => value !== undefined) ? known.own(announced, Object.fromEntries(said)) : null;
}

/** The family of own rules; nothing if none is announced that is called so. */
function familyIn(asked, known) {
  return known.announced(asked.get("family"), [...asked.keys()]);
}

function isOwn(asked) {
  return OWN.some((name) => asked.has(name));
}

function setupOf(board, player, game) {
  const found = board && game.readText(board);
  return found ? { ...found, turn: Math.max(0, game.players.indexOf(player)) } : null;
}

function whole(text, most, otherwise) {
  const number = Number(text);
  return text !== null && text !== "" && Number.isInteger(number) && number >= 0 && number <= most ? number : otherwise;
}
