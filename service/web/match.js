// The match: moves, where in them we are, who plays. It changes through its methods alone and says so with "change".

import { playerAt } from "./game.js";

export const HINTS = ["values", "line", "threats"];

/** A game being played, or replayed. `moves` are cells, under gravity columns, from 0; `ply` of them stand on the board. */
export class Match extends EventTarget {
  constructor({ game, moves, ply, you, skill, seed, hints }) {
    super();
    Object.assign(this, { game, moves, ply, you, skill, seed, hints: new Set(hints) });
  }

  /** The position on the board, as requests give it. */
  get position() {
    return this.#asked(this.#played);
  }

  /** The position after a move to a cell, as requests give it. */
  after(cell) {
    return this.#asked([...this.#played, this.game.moveTo(cell)]);
  }

  /** The whole game, also what was undone, as requests give it. */
  get record() {
    return this.#asked(this.moves);
  }

  /** Who is to move. */
  get player() {
    return playerAt(this.ply);
  }

  /** The cells marked so far, in order. */
  get cells() {
    return this.game.cellsOf(this.#played);
  }

  /** Whether a person has this move. */
  get isYours() {
    return this.#isYours(this.ply);
  }

  /** Whether the oracle answers by itself: it is to move, and no moves were taken back that it would overwrite. */
  get isOracles() {
    return !this.isYours && this.ply === this.moves.length;
  }

  get canUndo() {
    return this.#before() !== null;
  }

  get canRedo() {
    return this.ply < this.moves.length;
  }

  /** Plays at a cell; what had been taken back is forgotten. */
  play(cell) {
    this.moves = [...this.#played, this.game.moveTo(cell)];
    this.#become({ ply: this.moves.length });
  }

  /** Takes back to the last position in which a person was to move. */
  undo() {
    this.go(this.#before() ?? this.ply);
  }

  /** Plays again what was taken back, up to the next position in which a person is to move. */
  redo() {
    let ply = Math.min(this.ply + 1, this.moves.length);
    while (ply < this.moves.length && !this.#isYours(ply)) ply += 1;
    this.go(ply);
  }

  /** Shows the position after so many plies. */
  go(ply) {
    this.#become({ ply });
  }

  /** An empty board, of this game or another. */
  restart(game = this.game) {
    this.#become({ game, moves: [], ply: 0, seed: newSeed() });
  }

  /** Another game of the same rules, shown at its end. */
  load(moves) {
    this.#become({ moves, ply: moves.length });
  }

  /** Changes sides, skill or hints. */
  set(changes) {
    this.#become(changes);
  }

  get #played() {
    return this.moves.slice(0, this.ply);
  }

  #asked(moves) {
    return { game: this.game.id, moves: this.game.written(moves) };
  }

  #become(changes) {
    Object.assign(this, changes);
    this.dispatchEvent(new Event("change"));
  }

  #isYours(ply) {
    return this.you === "both" || this.you === playerAt(ply);
  }

  #before() {
    for (let ply = this.ply - 1; ply >= 0; ply -= 1) if (this.you === "none" || this.#isYours(ply)) return ply;
    return null;
  }
}

export const MOST_SEED = 2 ** 32 - 1;

/** A number that decides the oracle's chances in one match. */
export function newSeed() {
  return crypto.getRandomValues(new Uint32Array(1))[0];
}
