// Notakto: both players write X, on one or several boards; a board with a line is dead.

import { Game, IN_PROGRESS } from "../game/game.js";
import { lazily, numbers, straightLines } from "../game/geometry.js";

export class Notakto extends Game {
  static family = "notakto";
  players = ["first", "second"];
  contents = ["X"];

  constructor(description) {
    const { boards = 1, rows = 3, columns = 3, in_a_row: length = 3, misere = true } = description.parameters;
    super(description, { rows, columns, layers: boards, misere });
    this.boards = boards;
    lazily(this, "boardLines", () => this.#linesByBoard(straightLines({ rows, columns }, length)));
    lazily(this, "lines", () => this.boardLines.flat());
  }

  #linesByBoard(lines) {
    return numbers(this.boards).map((board) => lines.map((line) => ({ cells: line.cells.map((cell) => cell + board * this.cellsOfLayer) })));
  }

  #isDead(cells, board) {
    return Boolean(this.lineOf(cells, "X", this.boardLines[board]));
  }

  #name(cell) {
    return this.boards === 1 ? cell : `${Math.floor(cell / this.cellsOfLayer)}.${cell % this.cellsOfLayer}`;
  }

  textOf({ cells }) {
    const size = this.cellsOfLayer;
    return numbers(this.boards).map((board) => super.textOf({ cells: cells.slice(board * size, (board + 1) * size) })).join("/");
  }

  readText(text) {
    return super.readText(text.replaceAll("/", ""));
  }

  moves(state) {
    const dead = numbers(this.boards).map((board) => this.#isDead(state.cells, board));
    return this.free(state).filter((cell) => !dead[Math.floor(cell / this.cellsOfLayer)]).map((cell) => this.#name(cell));
  }

  tap(state, cell) {
    return { move: this.#name(cell) };
  }

  markOf() {
    return "X";
  }

  change({ cells }, move) {
    const [board, cell] = this.boards === 1 ? [0, Number(move)] : move.split(".").map(Number);
    const marked = board * this.cellsOfLayer + cell;
    return { cells: cells.with(marked, "X"), newest: marked };
  }

  judge({ cells, turn }) {
    const dead = numbers(this.boards).filter((board) => this.#isDead(cells, board)); // the sheets that are crossed out
    if (dead.length < this.boards) return { ...IN_PROGRESS, dead };
    return { ...this.won(1 - turn, this.lineOf(cells, "X", this.lines.toReversed())), dead };
  }

  get look() {
    return { isDeep: false };
  }
}
