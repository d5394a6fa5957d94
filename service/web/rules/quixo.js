// Quixo: each player takes a cube from the edge and pushes it back in with their mark at another end of its row or column.

import { Game, IN_PROGRESS } from "../game/game.js";
import { numbers } from "../game/geometry.js";

export class Quixo extends Game {
  static family = "quixo";
  loops = true;

  constructor(description) {
    const { side = 4 } = description.parameters;
    super(description, { rows: side, columns: side, in_a_row: side });
  }

  moves(state) {
    return numbers(this.cells).flatMap((start) => this.#ends(state, start).map((end) => `${start}>${end}`));
  }

  /** The cells where the player to move can push in the cube of a cell; none if it cannot be taken. */
  #ends({ cells, turn }, start) {
    const last = this.rows - 1;
    const [row, column] = [this.rowOf(start), this.columnOf(start)];
    const isInside = [row, column].every((place) => place > 0 && place < last);
    if (isInside || cells[start] === this.players[1 - turn]) return [];
    const ends = [this.cellAt(0, row, 0), this.cellAt(0, row, last), this.cellAt(0, 0, column), this.cellAt(0, last, column)];
    return [...new Set(ends)].filter((end) => end !== start).sort((one, other) => one - other);
  }

  tap(state, cell, choice, from) {
    if (from !== null && this.#ends(state, from).includes(cell)) return { move: `${from}>${cell}` };
    return { from: cell === from || !this.#ends(state, cell).length ? null : cell };
  }

  change({ cells, turn }, move) {
    const [from, end] = move.split(">").map(Number);
    const step = (this.rowOf(from) === this.rowOf(end) ? 1 : this.columns) * Math.sign(end - from);
    const after = [...cells];
    for (let cell = from; cell !== end; cell += step) after[cell] = cells[cell + step];
    return { cells: after.with(end, this.players[turn]), newest: end, from };
  }

  judge(state, mover) {
    for (const owner of [1 - mover, mover]) {
      const line = this.lineOf(state.cells, this.players[owner]);
      if (line) return this.won(owner, line);
    }
    return IN_PROGRESS;
  }
}
