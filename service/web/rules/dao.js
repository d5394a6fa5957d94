// Dao: each player slides one of four pieces as far as it goes, and wants four in a row, a square or the corners.

import { Game, IN_PROGRESS } from "../game/game.js";
import { lazily, numbers } from "../game/geometry.js";

const SIDE = 4;
const CORNERS = [0, 3, 12, 15];
const AROUND = [[1, 4, 5], [2, 6, 7], [8, 9, 13], [10, 11, 14]]; // the cells around each corner
const ROWS = numbers(SIDE).map((row) => numbers(SIDE).map((column) => row * SIDE + column));
const COLUMNS = numbers(SIDE).map((column) => numbers(SIDE).map((row) => row * SIDE + column));
const SQUARES = [0, 1, 2, 4, 5, 6, 8, 9, 10].map((cell) => [cell, cell + 1, cell + SIDE, cell + SIDE + 1]);
const DIRECTIONS = [[-1, -1], [-1, 0], [-1, 1], [0, -1], [0, 1], [1, -1], [1, 0], [1, 1]];

export class Dao extends Game {
  static family = "dao";
  loops = true;

  constructor(description) {
    super(description, { rows: SIDE, columns: SIDE });
    this.trappedWins = description.parameters.trapped_wins ?? true;
    lazily(this, "lines", () => [...ROWS, ...COLUMNS, ...SQUARES, CORNERS].map((cells) => ({ cells })));
  }

  start() {
    const cells = numbers(this.cells).map((cell) => (cell % 5 === 0 ? "X" : cell % 3 === 0 ? "O" : null));
    return { ...super.start(), cells };
  }

  moves(state) {
    const mine = numbers(this.cells).filter((cell) => state.cells[cell] === this.players[state.turn]);
    return mine.flatMap((start) => this.#ends(state.cells, start).map((end) => `${start}>${end}`));
  }

  #ends(cells, start) {
    const ends = DIRECTIONS.map((direction) => this.#slide(cells, start, direction)).filter((end) => end !== start);
    return ends.sort((one, other) => one - other);
  }

  #slide(cells, start, [down, right]) {
    let end = start;
    for (;;) {
      const next = this.cellAt(0, this.rowOf(end) + down, this.columnOf(end) + right);
      if (next === null || cells[next] !== null) return end;
      end = next;
    }
  }

  tap(state, cell, choice, from) {
    if (state.cells[cell] === this.players[state.turn]) return { from: cell === from ? null : cell };
    return { move: `${from}>${cell}` };
  }

  change({ cells, turn }, move) {
    const [from, end] = move.split(">").map(Number);
    return { cells: cells.with(from, null).with(end, this.players[turn]), newest: end, from };
  }

  judge(state, mover) {
    const [mine, theirs] = [this.players[mover], this.players[1 - mover]];
    const line = this.lineOf(state.cells, mine);
    if (line) return this.won(mover, line);
    const isTrapped = (corner, place) => state.cells[corner] === theirs && AROUND[place].every((cell) => state.cells[cell] === mine);
    return this.trappedWins && CORNERS.some(isTrapped) ? this.won(1 - mover) : IN_PROGRESS;
  }

  endedBy() {
    return "trapped";
  }
}
