// Three men's morris and its relatives: pieces are placed on points, then moved.

import { DRAWN, Game, IN_PROGRESS } from "../game/game.js";
import { lazily, numbers } from "../game/geometry.js";

const SMALL = 9; // points of the square alone
const SQUARE = [[0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8]];
const DIAGONALS = [[0, 4, 8], [2, 4, 6]];
const CROSSINGS = [[0, 9, 4, 12, 8], [2, 10, 4, 11, 6], [1, 9, 3], [1, 10, 5], [3, 11, 7], [5, 12, 7]]; // of picaria
const BETWEEN = [[0.5, 0.5], [1.5, 0.5], [0.5, 1.5], [1.5, 1.5]]; // the points after the square
const CENTRE = 4;

export class Morris extends Game {
  static family = "morris";
  loops = true;

  constructor(description) {
    const { points = SMALL, marks = 3, moves = "orthogonal", diagonals_win: diagonalsWin = true, stuck = "loss", centre = "open" } = description.parameters;
    const isLarge = points > SMALL;
    super(description, isLarge ? { rows: 1, columns: points } : {});
    const triples = CROSSINGS.flatMap((line) => line.slice(2).map((_, start) => line.slice(start, start + 3)));
    const lines = [...SQUARE, ...(diagonalsWin ? (isLarge ? triples : DIAGONALS) : [])];
    Object.assign(this, { points, marks, stuck, closed: centre, numbered: isLarge });
    lazily(this, "lines", () => lines.map((cells) => ({ cells })));
    this.drawn = [...SQUARE, ...(moves === "diagonals" ? (isLarge ? CROSSINGS : DIAGONALS) : [])];
    this.near = neighbours(moves, points, this.drawn);
  }

  moves(state) {
    const mine = numbers(this.cells).filter((point) => state.cells[point] === this.players[state.turn]);
    if (mine.length < this.marks) return this.#open(state).map(String);
    return mine.flatMap((start) => this.near[start].filter((end) => state.cells[end] === null).map((end) => `${start}>${end}`));
  }

  #open(state) {
    const isEmpty = state.cells.every((cell) => cell === null);
    const isClosed = this.closed === "closed" || (this.closed === "not-first" && isEmpty);
    return this.free(state).filter((point) => point !== CENTRE || !isClosed);
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

  moveOf(name) {
    return name;
  }

  /** All pieces are placed, and none has moved. */
  get typicalPlies() {
    return 2 * this.marks;
  }

  get look() {
    const places = [...numbers(SMALL).map((point) => [point % 3, Math.floor(point / 3)]), ...BETWEEN].slice(0, this.points);
    return { size: [3, 3], places, marks: "piece", width: this.numbered ? 0.66 : 0.88, lines: this.drawn };
  }
}

function neighbours(moves, points, drawn) {
  const near = numbers(points).map(() => new Set());
  const isNear = (one, other) => Math.abs((one % 3) - (other % 3)) <= 1 && Math.abs(Math.floor(one / 3) - Math.floor(other / 3)) <= 1;
  for (const line of drawn) {
    line.slice(1).forEach((end, index) => near[line[index]].add(end) && near[end].add(line[index]));
  }
  const everywhere = (start) => numbers(points).filter((end) => end !== start && (moves === "fly" || isNear(start, end)));
  const found = near.map((ends, start) => (moves === "fly" || moves === "king" ? everywhere(start) : [...ends]));
  return found.map((ends) => ends.sort((one, other) => one - other));
}
