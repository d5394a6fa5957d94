// Positions as texts and pictures: what is copied, handed on and downloaded, and what is pasted or typed.

import { element } from "../board/drawing.js";
import * as link from "../game/link.js";
import { texts } from "../words/texts.js";
import { nameOf } from "../words/translation.js";

const PICTURE = 1024; // pixels along its longer side

/** What can be copied of a match: a link to it, the position, or a frame with the board for another page. */
const COPIED = {
  link: (match) => new URL(link.write(match), location.href).href,
  position: ({ game, setup, state, moves, ply }) => (setup ? game.textOf(state) : String(game.written(moves.slice(0, ply)))),
  embed: (match) => `<iframe src="${new URL(`/embed${link.write({ ...match, mode: "play" })}`, location.href).href}" title="${nameOf(match.game)}" width="400" height="400"></iframe>`,
};

/** Copies one of them, and says so; where the browser refuses, it is shown. */
export async function copy(match, what) {
  const text = COPIED[what](match);
  await navigator.clipboard.writeText(text).then(() => say(texts.copied), () => say(text));
}

/** Hands the link to a game on, by the means of the device where it has any; else copies it, and says so where `show` leads. */
export function share(match, show) {
  const shared = { ...match, mode: "analyse" };
  if (navigator.share) return navigator.share({ title: document.title, url: COPIED.link(shared) }).catch(() => {}); // the user has closed it
  show();
  return copy(shared, "link");
}

/** Downloads the picture of the board. */
export function picture({ game, setup, moves, ply, state }) {
  const way = setup ? [["board", game.textOf(state)], ["player", game.playerOf(state)]] : [link.record(game, moves.slice(0, ply))];
  const said = [...game.linked, ...way, ["size", PICTURE]].filter(([, value]) => value !== "");
  element("a", { href: `/position.png?${said.map(([name, value]) => `${name}=${value}`).join("&")}`, download: `${nameOf(game)}.png` }).click();
}

/** What a text says of a game: the `query` of a link to this page, a board as a `setup`, or `moves`. */
export function read(text, game) {
  const query = /\?(?=.*(?:game|moves|drops|board|rows|family|lines)=)\S+$/.exec(text)?.[0];
  if (query) return { query };
  const board = game.readText(text);
  return board ? { setup: { ...board, turn: game.turnOf(board.cells) } } : { moves: game.read(text) };
}

/** Whether a text says a position of a game, at least its first move. */
export function isPosition(text, game) {
  const { moves } = read(text, game);
  return !moves || (moves.length > 0 && game.isLegal(game.start(), moves[0]));
}

function say(text) {
  document.getElementById("copied").textContent = text;
}
