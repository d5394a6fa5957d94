// The address: everything that a link must say to show the same match elsewhere.

import { HINTS, MOST_SEED, newSeed } from "./match.js";
import { valueIn } from "./parameters.js";
import { address } from "../words/texts.js";

const PLAYS = ["X", "O", "both", "none"];
const DEFAULTS = { game: "tic-tac-toe", you: "X", skill: 100 };
const FIRST_SKILL = 30; // of the oracle on a first visit: it can be beaten
const OWN = ["family", "rows", "lines"]; // one of them tells that the rules are not of the catalogue
const OF_MATCH = ["game", "moves", "drops", "ply", "you", "seed", "board", "player", "hints", ...OWN]; // a link with one of them is no first visit

/** What the query of an address says, of what can be played; whatever it leaves out or garbles is as in a new match. */
export async function read(query, known) {
  const asked = new URLSearchParams(query);
  const family = isOwn(asked) ? familyIn(asked, known)?.family : known.familyOf(asked.get("game") ?? DEFAULTS.game);
  const missing = await known.load(family).catch((error) => error); // why the rules of its game are not here
  const game = gameOf(asked, known);
  const moves = game ? game.read(asked.get("drops") ?? asked.get("moves") ?? "") : [];
  return {
    name: asked.get("game") ?? asked.get("family"),
    isOwn: isOwn(asked) && Boolean(familyIn(asked, known)),
    game,
    missing,
    setup: game && setupOf(asked.get("board"), asked.get("player"), game),
    moves: asked.has("moves") && game?.hasDigits ? asked.get("moves").split(",").filter(Boolean).map(Number) : moves,
    ply: whole(asked.get("ply"), moves.length, moves.length),
    you: PLAYS.includes(asked.get("you")) ? asked.get("you") : DEFAULTS.you,
    skill: whole(asked.get("skill"), 100, OF_MATCH.some((name) => asked.has(name)) ? DEFAULTS.skill : FIRST_SKILL),
    seed: whole(asked.get("seed"), MOST_SEED, newSeed()),
    hints: HINTS.filter((hint) => asked.get("hints")?.split(",").includes(hint)),
  };
}

/** The query of a match, with the defaults left out. */
export function write({ game, setup, moves, ply, you, skill, seed, hints }) {
  const said = [
    ...game.linked.map((each) => [...each, true]),
    ["board", setup && game.textOf(game.setUp(setup)), setup],
    ["player", setup && game.players[setup.turn], setup],
    [...record(game, moves), moves.length > 0],
    ["ply", ply, ply < moves.length],
    ["you", you, you !== DEFAULTS.you],
    ["skill", skill, skill !== DEFAULTS.skill],
    ["seed", seed, skill < 100],
    ["hints", HINTS.filter((hint) => hints.has(hint)).join(","), hints.size > 0],
    ["lang", address.language, address.language !== null],
  ];
  return `?${said.filter(([, , worth]) => worth).map(([name, value]) => `${name}=${value}`).join("&")}`;
}

/** The address of the picture of a match; null where only a body describes its game. */
export function picture({ game, setup, moves, ply, state }) {
  if (game.asked?.lines) return null;
  const way = setup ? [["board", game.textOf(state)], ["player", game.playerOf(state)]] : [record(game, moves.slice(0, ply))];
  return `/position.svg?${[...game.linked, ...way].filter(([, value]) => value !== "").map(([name, value]) => `${name}=${value}`).join("&")}`;
}

/** The parameter that tells moves, and its value. */
function record(game, moves) {
  return [game.hasDigits ? "drops" : "moves", String(game.written(moves))];
}

/** Puts a match into the address. */
export function put(match) {
  try {
    history.replaceState(history.state, "", write(match));
  } catch {
    // Some browsers refuse more than so many changes in half a minute; then the address lags, and the game goes on.
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
