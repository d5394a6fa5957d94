// Games in which each player places some pieces, then moves one of them a turn.

import { DRAWN, Game, IN_PROGRESS } from "../game/game.js";
import { lazily, numbers } from "../game/geometry.js";

/** `near` has for each point those to which a piece on it may move. `placed` says when the `middle` is open to pieces that
 * are placed: always (`open`), not for the first of all (`not-first`), or never (`closed`). */
export class PlaceThenMove extends Game {
  loops = true;

  constructor(description, size, { marks, stuck, middle, placed, lines, near }) {
    super(description, size);
    Object.assign(this, { marks, stuck, middle, placed, near });
    lazily(this, "lines", () => lines.map((cells) => ({ cells })));
  }

  moves(state) {
    const mine = numbers(this.cells).filter((point) => state.cells[point] === this.players[state.turn]);
    if (mine.length < this.marks) return this.#open(state).map(String);
    return mine.flatMap((start) => this.near[start].filter((end) => state.cells[end] === null).map((end) => `${start}>${end}`));
  }

  #open(state) {
    const isEmpty = state.cells.every((cell) => cell === null);
    const isClosed = this.placed === "closed" || (this.placed === "not-first" && isEmpty);
    return this.free(state).filter((point) => point !== this.middle || !isClosed);
  }

  tap(state, point, choice, from) {
    const mover = this.players[state.turn];
    if (state.cells.filter((cell) => cell === mover).length < this.marks) return { move: String(point) };
    if (state.cells[point] === mover) return { from: point === from ? null : point };
    return { move: `${from}>${point}` };
  }

  change({ cells, turn }, move) {
    const from = this.originOf(move);
    const end = Number(move.split(">").at(-1));
    const left = from === null ? cells : cells.with(from, null);
    return { cells: left.with(end, this.players[turn]), newest: end, from };
  }

  judge(state, mover) {
    const line = this.lineOf(state.cells, this.players[mover]);
    if (line) return this.won(mover, line);
    if (this.moves(state).length) return IN_PROGRESS;
    return this.stuck === "draw" ? DRAWN : this.won(mover);
  }

  /** All pieces are placed, and none has moved. */
  get typicalPlies() {
    return 2 * this.marks;
  }
}
