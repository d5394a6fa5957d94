// The address: everything that a link must say to show the same match elsewhere.

import { customGame } from "./own.js";
import { HINTS, MOST_SEED, newSeed } from "./match.js";
import { address } from "./texts.js";

const PLAYS = ["X", "O", "both", "none"];
const DEFAULTS = { game: "tic-tac-toe", you: "X", skill: 100 };
const FIRST_SKILL = 30; // of the oracle on a first visit: it can be beaten
const NUMBERS = [...Array(100).keys()];
const SWITCH = [false, true];
const VALUES = { rows: NUMBERS, columns: NUMBERS, in_a_row: NUMBERS, layers: NUMBERS, gravity: SWITCH, misere: SWITCH, wrap: [...SWITCH, "cylinder", "moebius"] };
const GRID = Object.keys(VALUES);
const OWN = ["rows", "lines"]; // one of them tells that the rules are not of the catalogue
const OF_MATCH = ["game", "family", "moves", "drops", "ply", "you", "seed", "board", "player", "cells", "lines", "hints", ...GRID]; // a link with one of them is no first visit

/** What the query of an address says, of one of these games; whatever it leaves out or garbles is as in a new match. */
export function read(query, games) {
  const asked = new URLSearchParams(query);
  const game = gameOf(asked, games);
  const moves = game ? game.read(asked.get("drops") ?? asked.get("moves") ?? "") : [];
  return {
    name: asked.get("game") ?? asked.get("family"),
    isOwn: OWN.some((name) => asked.has(name)),
    game,
    setup: game?.canSetUp ? setupOf(asked.get("board"), asked.get("player"), game) : null,
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
    ...rulesIn(game),
    ["board", setup?.cells.map((mark) => mark ?? ".").join(""), setup],
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
  const cells = state.cells.map((mark) => mark ?? ".").join("");
  const way = setup ? [["board", cells], ["player", game.playerOf(state)]] : [record(game, moves.slice(0, ply))];
  return `/position.svg?${[...rulesIn(game, true), ...way].filter(([, value]) => value !== "").map(([name, value]) => `${name}=${value}`).join("&")}`;
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

function rulesIn(game) {
  const { asked } = game;
  if (!game.isCustom) return [["game", game.id, true]];
  if (asked.lines) return [["cells", asked.cells, true], ["lines", asked.lines.map((line) => line.join("-")).join(","), true], ["misere", true, asked.misere]];
  return GRID.filter((name) => asked[name]).map((name) => [name, asked[name], true]);
}

function gameOf(asked, games) {
  if (asked.has("lines")) {
    const lines = asked.get("lines").split(",").map((line) => line.split("-").map(Number));
    return customGame({ cells: Number(asked.get("cells")), lines, misere: asked.get("misere") === "true" });
  }
  if (asked.has("rows")) return gridOf(asked);
  if (asked.has("family")) return null; // rules of other families are played by the id of a game alone
  return games.find(({ id }) => id === (asked.get("game") ?? DEFAULTS.game));
}

function gridOf(asked) {
  const said = GRID.filter((name) => asked.has(name)).map((name) => [name, VALUES[name].find((value) => String(value) === asked.get(name))]);
  return said.every(([, value]) => value !== undefined) ? customGame(Object.fromEntries(said)) : null;
}

function setupOf(board, player, game) {
  if (!board || board.length !== game.cells || /[^XO.]/.test(board)) return null;
  return { cells: [...board].map((sign) => (sign === "." ? null : sign)), turn: player === "O" ? 1 : 0 };
}

function whole(text, most, otherwise) {
  const number = Number(text);
  return text !== null && text !== "" && Number.isInteger(number) && number >= 0 && number <= most ? number : otherwise;
}
