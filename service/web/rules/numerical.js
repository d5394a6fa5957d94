// Numerical tic-tac-toe: odd digits against even ones; a full line with the sum 15 decides.

import { Game } from "../game/game.js";
import { numbers } from "../game/geometry.js";

const SUM = 15;

export class Numerical extends Game {
  static family = "numerical";
  players = ["odd", "even"];
  contents = numbers(9).map((digit) => String(digit + 1));

  moves(state) {
    return this.options(state).flatMap((digit) => this.free(state).map((cell) => `${digit}@${cell}`));
  }

  options({ cells, turn }) {
    return numbers(9).map((digit) => String(digit + 1)).filter((digit) => digit % 2 === 1 - turn && !cells.includes(digit));
  }

  tap(state, cell, choice) {
    return { move: `${choice}@${cell}` };
  }

  change({ cells }, move) {
    const [digit, cell] = move.split("@");
    return { cells: cells.with(Number(cell), digit), newest: Number(cell) };
  }

  judge(state, mover) {
    const { cells } = state;
    const isSum = (line) => line.cells.every((cell) => cells[cell]) && line.cells.reduce((sum, cell) => sum + Number(cells[cell]), 0) === SUM;
    const line = this.lines.find(isSum);
    return line ? this.won(mover, line) : this.orFull(state);
  }

  moveName(state, move) {
    return `${move.split("@")[0]} ${super.moveName(state, move)}`;
  }
}
