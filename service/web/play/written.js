// Positions as texts: what is copied, and what is pasted or typed.

import * as link from "../game/link.js";
import { nameOf } from "../words/translation.js";

/** What can be copied of a match: a link to it, the position, or a frame with the board for another page. */
export const COPIED = {
  link: (match) => new URL(link.write(match), location.href).href,
  position: ({ game, setup, state, moves, ply }) => (setup ? game.textOf(state) : String(game.written(moves.slice(0, ply)))),
  embed: (match) => `<iframe src="${new URL(`/embed${link.write({ ...match, mode: "play" })}`, location.href).href}" title="${nameOf(match.game)}" width="400" height="400"></iframe>`,
};

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
