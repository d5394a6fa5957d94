// The address: everything that a link must say to show the same match elsewhere.

import { HINTS, MOST_SEED, newSeed } from "./match.js";

const SIDES = ["X", "O", "both", "none"];
const DEFAULTS = { game: "tic-tac-toe", you: "X", skill: 100 };

/** What the query of an address says, of one of these games; whatever it leaves out or garbles is as in a new match. */
export function read(query, games) {
  const asked = new URLSearchParams(query);
  const game = games.find(({ id }) => id === (asked.get("game") ?? DEFAULTS.game));
  const listed = (asked.get("moves") ?? "").split(",").filter(Boolean).map(Number);
  const moves = game?.hasDigits && asked.has("drops") ? game.read(asked.get("drops")) : listed;
  return {
    name: asked.get("game"),
    game,
    moves,
    ply: whole(asked.get("ply"), moves.length, moves.length),
    you: SIDES.includes(asked.get("you")) ? asked.get("you") : DEFAULTS.you,
    skill: whole(asked.get("skill"), 100, DEFAULTS.skill),
    seed: whole(asked.get("seed"), MOST_SEED, newSeed()),
    hints: HINTS.filter((hint) => asked.get("hints")?.split(",").includes(hint)),
  };
}

/** The query of a match, with the defaults left out. */
export function write({ game, moves, ply, you, skill, seed, hints }) {
  const said = [
    ["game", game.id, true],
    [game.hasDigits ? "drops" : "moves", String(game.written(moves)), moves.length > 0],
    ["ply", ply, ply < moves.length],
    ["you", you, you !== DEFAULTS.you],
    ["skill", skill, skill !== DEFAULTS.skill],
    ["seed", seed, skill < 100],
    ["hints", HINTS.filter((hint) => hints.has(hint)).join(","), hints.size > 0],
  ];
  return `?${said.filter(([, , worth]) => worth).map(([name, value]) => `${name}=${value}`).join("&")}`;
}

/** Puts a match into the address. */
export function put(match) {
  try {
    history.replaceState(null, "", write(match));
  } catch {
    // Some browsers refuse more than so many changes in half a minute; then the address lags, and the game goes on.
  }
}

function whole(text, most, otherwise) {
  const number = Number(text);
  return text !== null && text !== "" && Number.isInteger(number) && number >= 0 && number <= most ? number : otherwise;
}
