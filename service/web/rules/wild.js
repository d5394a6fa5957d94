// Wild tic-tac-toe: each move writes X or O, as the player likes.

import { Game } from "../game/game.js";

export class Wild extends Game {
  static family = "wild";
  players = ["first", "second"];

  moves(state) {
    return this.free(state).flatMap((cell) => [`X${cell}`, `O${cell}`]);
  }

  options() {
    return ["X", "O"];
  }

  tap(state, cell, choice) {
    return { move: `${choice}${cell}` };
  }

  change({ cells }, move) {
    const cell = Number(move.slice(1));
    return { cells: cells.with(cell, move[0]), newest: cell };
  }

  judge(state, mover) {
    const line = this.anyLine(state);
    return line ? this.won(mover, line) : this.orFull(state);
  }

  anyLine({ cells }) {
    return this.lineOf(cells, "X") ?? this.lineOf(cells, "O");
  }

  moveName(state, move) {
    return `${move[0]} ${super.moveName(state, move)}`;
  }
}
