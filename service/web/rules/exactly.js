// Exactly a number of marks in a row: a longer line does not count.

import { Game } from "../game/game.js";

export class Exactly extends Game {
  static family = "exactly";
  overlines = false;

  change({ cells, turn }, cell) {
    return { cells: cells.with(cell, this.players[turn]), newest: cell };
  }

  judge(state, mover) {
    const line = this.lineOf(state.cells, this.players[mover]);
    return line ? this.won(mover, line) : this.orFull(state);
  }
}
