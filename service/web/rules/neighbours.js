// Col and Snort: a player who cannot mark a cell loses; marks of the same player, or of different ones, may not be neighbours.

import { Game, IN_PROGRESS } from "../game/game.js";

export class Neighbours extends Game {
  static family = "neighbours";
  hasLines = false;

  constructor(description) {
    super(description);
    this.apart = description.parameters.apart ?? "own";
  }

  moves(state) {
    const marks = this.players[this.apart === "own" ? state.turn : 1 - state.turn];
    return this.free(state).filter((cell) => this.#beside(cell).every((near) => state.cells[near] !== marks));
  }

  #beside(cell) {
    const [row, column] = [this.rowOf(cell), this.columnOf(cell)];
    const places = [[row - 1, column], [row + 1, column], [row, column - 1], [row, column + 1]];
    return places.map((place) => this.cellAt(0, ...place)).filter((near) => near !== null);
  }

  change({ cells, turn }, cell) {
    return { cells: cells.with(cell, this.players[turn]), newest: cell };
  }

  judge(state, mover) {
    return this.moves(state).length ? IN_PROGRESS : this.won(mover);
  }
}
