// Exactly a number of marks in a row: a longer line does not count.

import { Game } from "../game/game.js";
import { lazily } from "../game/geometry.js";

export class Exactly extends Game {
  static family = "exactly";

  constructor(description) {
    super(description);
    lazily(this, "ended", () => this.lines.map((line) => ({ ...line, ends: ends(this, line.cells) })));
  }

  change({ cells, turn }, cell) {
    return { cells: cells.with(cell, this.players[turn]), newest: cell };
  }

  judge(state, mover) {
    const mark = this.players[mover];
    const isExact = (line) => line.ends.every((cell) => state.cells[cell] !== mark);
    const line = this.ended.find((line) => line.cells.every((cell) => state.cells[cell] === mark) && isExact(line));
    return line ? this.won(mover, line) : this.orFull(state);
  }
}

/** The cells that would make a line longer, at both ends. */
function ends({ rows, columns }, line) {
  if (line.length < 2) return [];
  const at = (cell) => [Math.floor(cell / columns), cell % columns];
  const [[row, column], [nextRow, nextColumn], [lastRow, lastColumn]] = [at(line[0]), at(line[1]), at(line.at(-1))];
  const [down, right] = [nextRow - row, nextColumn - column];
  const beyond = [[row - down, column - right], [lastRow + down, lastColumn + right]];
  return beyond.filter(([y, x]) => y >= 0 && y < rows && x >= 0 && x < columns).map(([y, x]) => y * columns + x);
}
