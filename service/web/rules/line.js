// Games of lines: each player marks cells with a sign of their own, under gravity the lowest empty one of a column.

import { Game } from "../game/game.js";
import { texts } from "../words/texts.js";
import { lazily, numbers } from "../game/geometry.js";

/** A line game as `GET /games` describes it, with its parameters or beside them. Moves are cells, under gravity columns. */
export class LineGame extends Game {
  static family = "line";
  constructor(description) {
    const { parameters = description } = description;
    const { gravity = false, wrap = false, lines } = parameters;
    super({ ...description, parameters });
    Object.assign(this, { wrap, gravity, hasOwnLines: Boolean(lines), numbered: Boolean(lines) });
    this.kind = gravity ? "discs" : this.layers > 1 ? "space" : wrap ? "joined" : "row";
    this.drop = gravity ? (this.layers > 1 ? this.cellsOfLayer : this.columns) : 0; // cells from one to that below it
    if (lines) lazily(this, "lines", () => lines.map((cells) => ({ cells: [...cells].sort((one, other) => one - other) })));
    lazily(this, "through", () => this.#linesByCell());
  }

  #linesByCell() {
    const through = Array.from({ length: this.cells }, () => []);
    for (const line of this.lines) for (const cell of line.cells) through[cell].push(line);
    return through;
  }

  setUp({ cells, turn }) {
    const state = { ...this.start(), cells, turn, plies: cells.filter(Boolean).length };
    const line = this.#complete(cells, this.lines);
    const owner = line && this.players.indexOf(cells[line.cells[0]]);
    return { ...state, ...(line ? { ...this.won(owner, line), completer: this.players[owner] } : this.orFull(state)) };
  }

  /** The one with fewer marks. */
  turnOf(cells) {
    const [first, second] = this.players.map((player) => cells.filter((mark) => mark === player).length);
    return first > second ? 1 : 0;
  }

  moves({ cells }) {
    return numbers(this.drop || this.cells).filter((move) => cells[move] === null);
  }

  change({ cells, turn }, move) {
    const cell = this.landing(cells, move);
    return { cells: cells.with(cell, this.players[turn]), newest: cell };
  }

  judge(state, mover) {
    const line = this.#complete(state.cells, this.through[state.newest]);
    return line ? this.won(mover, line) : this.orFull(state);
  }

  #complete(cells, lines) {
    return lines.find((line) => cells[line.cells[0]] !== null && line.cells.every((cell) => cells[cell] === cells[line.cells[0]]));
  }

  /** The cell where a mark comes to rest that is played at this one; null if there is no room. */
  landing(cells, cell) {
    if (cells[cell] !== null && !this.drop) return null;
    if (!this.drop) return cell;
    let found = cell % this.drop;
    if (cells[found] !== null) return null;
    while (found + this.drop < this.cells && cells[found + this.drop] === null) found += this.drop;
    return found;
  }

  /** The cells where each player could complete a line now. */
  threats({ cells }) {
    const completes = (player, cell) => this.through[cell].some((line) => line.cells.every((each) => each === cell || cells[each] === player));
    const free = numbers(this.cells).filter((cell) => this.landing(cells, cell) === cell);
    return Object.fromEntries(this.players.map((player) => [player, free.filter((cell) => completes(player, cell))]));
  }

  /** The move to a cell: the cell, or under gravity its column. */
  #moveTo(cell) {
    return this.drop ? cell % this.drop : cell;
  }

  tap(state, cell) {
    return { move: this.#moveTo(cell) };
  }

  moveIn(answer) {
    return this.#moveTo(answer.move);
  }

  movesIn(listed) {
    return listed.map((cell) => this.#moveTo(cell));
  }

  listed(state, move) {
    return this.cellOf(state, move);
  }

  cellOf(state, move) {
    return this.landing(state.cells, move);
  }

  get look() {
    return this.gravity ? { marks: "disc", hasColumns: this.layers === 1 } : {};
  }

  get movesAreColumns() {
    return this.hasColumns;
  }

  /** What requests call such a game: its rules, by their names. */
  static asked(parameters) {
    return parameters;
  }

  /** What a game of own rules is called, and what is to be done in it. */
  get ownName() {
    const { rows, columns, layers } = this;
    const { in_a_row: length, gravity, misere, wrap } = this.parameters;
    return texts.ownGame({ length, size: [rows, columns, ...(layers > 1 ? [layers] : [])].join("×"), gravity, misere, wrap });
  }

  get ownAbout() {
    return texts.ownAbout({ length: this.hasOwnLines ? null : this.parameters.in_a_row, misere: this.misere });
  }
}
