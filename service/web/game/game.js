// A game: its rules, what its cells, moves and players are called, and how it is drawn. Each family is a class in rules/.

import { endsOf, join, lazily, numbers, straightLines } from "./geometry.js";
import { texts } from "../words/texts.js";

const MOST_DIGITS = 9; // columns with one digit each

export const IN_PROGRESS = { status: "in_progress", winner: null, line: null };
export const DRAWN = { status: "drawn", winner: null, line: null };

/**
 * The common part of games; a family adds how a legal move changes a state (`change`), the status after it (`judge`), and
 * every other difference. Cells are numbered from 0, row by row, layer by layer; moves have the names of the API. A state
 * is never changed: `cells` hold marks or null; `turn` is 0 or 1, an index of `players`; where a `line` has ended the game,
 * `completer` is the player who moved last, also where the line is the other's; `isBoth`: both have one, and it is a draw.
 */
export class Game {
  players = ["X", "O"];
  kind = "other"; // the group of the catalogue
  mostCells = 64; // of a board by own rules
  boards = 1; // which stand beside each other
  numbered = false; // whether cells are in no rows and columns, and called by numbers
  contents = ["X", "O"]; // what a cell can hold
  drop = 0; // cells from one to that below it, where marks fall
  signs = {}; // of what can be chosen, beside those that are signs
  loops = false; // whether a position may come again
  hasLines = true; // whether lines of marks decide it
  overlines = true; // whether lines that are longer count too
  #legal = new WeakMap(); // the legal moves of states, as texts

  /** What requests call a game of own rules. */
  static asked(parameters) {
    return { family: this.family, ...parameters };
  }

  /** A game as `GET /games` describes it, or by own rules, which have the id `custom`; its shape is in its parameters. */
  constructor({ id, name, rules, best_play: bestPlay, value = null, asked = id, linked = [["game", id]], parameters }, shape = parameters) {
    const { rows = 3, columns = 3, layers = 1, in_a_row: length = 3, misere = false } = shape;
    Object.assign(this, { id, name, about: rules, bestPlay, value, asked, linked }); // requests call it `asked`, links `linked`
    Object.assign(this, { rows, columns, layers, misere });
    this.parameters = parameters;
    this.isCustom = id === "custom";
    this.cellsOfLayer = rows * columns;
    this.cells = rows * columns * layers;
    lazily(this, "lines", () => (this.hasLines ? straightLines(this, length) : []));
    lazily(this, "surface", () => ({ ...this.grid, ...this.look }));
  }

  // Rules

  /** The first state. */
  start() {
    return { cells: Array(this.cells).fill(null), turn: 0, plies: 0, newest: null, ...IN_PROGRESS };
  }

  /** A position that was set up, with the player of this index to move; `order` has the marked cells from the oldest mark to the newest. */
  setUp({ cells, turn }) {
    const state = { ...this.start(), cells, turn, plies: cells.filter(Boolean).length };
    return { ...state, ...this.judge(state, 1 - turn), completer: this.players[1 - turn] };
  }

  /** What requests call the position of a state, if not its moves. */
  textOf({ cells }) {
    return cells.map((mark) => mark ?? ".").join("");
  }

  /** What such a text says of a position to be set up; null if it says nothing. */
  readText(text) {
    const cells = [...text].map((sign) => (sign === "." ? null : sign));
    const isBoard = cells.length === this.cells && cells.every((mark) => mark === null || this.contents.includes(mark));
    return isBoard ? { cells, order: numbers(this.cells).filter((cell) => cells[cell]) } : null;
  }

  /** The player who is to move next on a board, if its marks alone determine that. */
  turnOf(cells) {
    return cells.filter(Boolean).length % 2;
  }

  /** A board on which marks that nothing holds have fallen. */
  settled(cells) {
    const fallen = Array(this.cells).fill(null);
    const held = (cell) => this.drop && cell + this.drop < this.cells && fallen[cell + this.drop] === null;
    for (const cell of numbers(this.cells).reverse().filter((cell) => cells[cell])) {
      let end = cell;
      while (held(end)) end += this.drop;
      fallen[end] = cells[cell];
    }
    return fallen;
  }

  /** The moves that may be made; none when the game is over. */
  legal(state) {
    return state.status === "in_progress" ? this.moves(state) : [];
  }

  isLegal(state, move) {
    if (!this.#legal.has(state)) this.#legal.set(state, new Set(this.legal(state).map(String)));
    return this.#legal.get(state).has(String(move));
  }

  /** The state after a legal move. */
  play(state, move) {
    const next = { ...state, turn: 1 - state.turn, plies: state.plies + 1, ...this.change(state, move) };
    return { ...next, ...this.judge(next, state.turn), completer: this.players[state.turn] };
  }

  /** The state before each of some moves and after the last; up to the first that is not legal. */
  follow(start, moves) {
    const states = [start];
    for (const move of moves) {
      if (!this.isLegal(states.at(-1), move)) break;
      states.push(this.play(states.at(-1), move));
    }
    return states;
  }

  /** The moves while the game is on: the empty cells. */
  moves(state) {
    return this.free(state);
  }

  free({ cells }) {
    return numbers(cells.length).filter((cell) => cells[cell] === null);
  }

  won(turn, line) {
    return { status: "won", winner: this.players[this.misere ? 1 - turn : turn], line: line?.cells ?? null, path: line?.path };
  }

  /** What has ended a game without a line: the name of a text about the player to move and the winner. */
  endedBy({ cells }) {
    return this.hasLines && !cells.includes(null) ? "fullBoard" : "stuck";
  }

  orFull(state) {
    return state.cells.includes(null) ? IN_PROGRESS : DRAWN;
  }

  /** The first line whose cells all hold this mark, and no cell at its ends if longer lines do not count. */
  lineOf(cells, mark, lines = this.lines) {
    const holds = (cell) => cells[cell] === mark;
    return lines.find((line) => line.cells.every(holds) && (this.overlines || !endsOf(this, line.cells).some(holds)));
  }

  // Taps

  /** What a player chooses beside the board before a move: marks, digits, or whether to drop or to pop. */
  choices(state) {
    return state.status === "in_progress" ? this.options(state) : [];
  }

  /** The same while the game is on. */
  options() {
    return [];
  }

  /**
   * What a tap on a cell means: a legal `move` and the cell where it shows, or what is chosen of one (`from`): the piece
   * that it moves, or more in some families; null if it means nothing.
   */
  aim(state, cell, choice, from) {
    const meant = this.tap(state, cell, choice, from);
    if (meant.from !== undefined) return state.status === "in_progress" ? meant : null;
    return this.isLegal(state, meant.move) ? { move: meant.move, cell: meant.cell ?? this.cellOf(state, meant.move) } : null;
  }

  /** Whether a move begins with what is chosen of it. */
  isOf(move, from) {
    return this.originOf(move) === from;
  }

  /** The state as it is shown while a move is chosen in part. */
  during(state) {
    return state;
  }

  /** The move, legal or not, or the piece that a tap means. */
  tap(state, cell) {
    return { move: cell };
  }

  /** The mark that the player to move would write. */
  markOf(state, choice) {
    return this.marksArePlayers ? this.playerOf(state) : choice;
  }

  /** What else people have to know of a state, in a sentence. */
  told() {
    return "";
  }

  // Moves

  /** The cell that a move changes. */
  cellOf(state, move) {
    return this.play(state, move).newest;
  }

  /** The point from which a move takes a piece; null if it takes none. */
  originOf(move) {
    const [from, to] = String(move).split(">");
    return to === undefined ? null : Number(from);
  }

  /** The move in an answer. */
  moveIn(answer) {
    return answer.pv[0];
  }

  /** The moves of a list in an answer, such as a principal variation. */
  movesIn(listed) {
    return listed;
  }

  /** A legal move as answers list it. */
  listed(state, move) {
    return move;
  }

  /** Moves as requests take them: a string of columns where it can be one, else their list. */
  written(moves) {
    return this.hasDigits ? moves.map((move) => move + 1).join("") : moves;
  }

  /** The moves of a text: a string of columns where it can be one, else their list. */
  read(text) {
    if (!this.hasDigits) return this.readList(text);
    return [...text.replace(/[\s,]/g, "")].map((digit) => (/^[0-9]$/.test(digit) ? Number(digit) - 1 : digit));
  }

  /** The moves of a list with commas; where a cell is a move, its number or its name will do. */
  readList(text) {
    return text.split(/[\s,]+/).filter(Boolean).map((move) => this.#moveNamed(move));
  }

  #moveNamed(name) {
    const start = this.start();
    const number = /^\d+$/.test(name) ? Number(name) : null;
    const cell = number ?? numbers(this.cells).find((each) => this.cellName(each) === name.toLowerCase());
    if (cell === undefined || this.choices(start).length) return number ?? name;
    const { move } = this.tap(start, cell, null, null);
    const isMeant = this.isLegal(start, move) && (number === null || typeof move === "string"); // in other games the number is the move itself
    return isMeant ? move : (number ?? name);
  }

  // Places

  rowOf(cell) {
    return Math.floor(cell / this.columns) % this.rows;
  }

  columnOf(cell) {
    return cell % this.columns;
  }

  layerOf(cell) {
    return Math.floor(cell / this.cellsOfLayer);
  }

  /** The cell at a layer, row and column, or null beyond the edges. */
  cellAt(layer, row, column) {
    const isWithin = (number, count) => number >= 0 && number < count;
    const isInside = isWithin(layer, this.layers) && isWithin(row, this.rows) && isWithin(column, this.columns);
    return isInside ? layer * this.cellsOfLayer + row * this.columns + column : null;
  }

  /** The cell at a place beyond joined edges; null beyond edges that are not joined. */
  joined(layer, row, column) {
    const found = join([this.layers, this.rows, this.columns], [layer, row, column], this.wrap);
    return found && this.cellAt(...found);
  }

  // The drawing

  /**
   * How the board looks, as data for all that draw it. Each of its `sheets`, which are layers in a space (`isDeep`) or else boards, has a
   * `size` in columns and rows, and its cells have `places` there. Marks are written with a "pen", or are a "disc" or a "piece" of some
   * `width`; `lines` lead from place to place, where there is no grid. A move can be a column, with any of its cells (`hasColumns`).
   */
  get grid() {
    const { rows, columns, layers } = this;
    const places = numbers(this.cellsOfLayer).map((cell) => [cell % columns, Math.floor(cell / columns)]);
    return { size: [columns, rows], sheets: layers, isDeep: layers > 1, places, marks: "pen", width: 1, lines: null, hasColumns: false };
  }

  /** What of this is different in a family. */
  get look() {
    return {};
  }

  /** How many plies lead to a picture of the game. */
  get typicalPlies() {
    return Math.min(12, Math.ceil(this.cells / 2.2));
  }

  /** Where a cell begins on its sheet. */
  corner(cell) {
    return this.surface.places[cell % this.cellsOfLayer];
  }

  /** Whether a board that is mirrored from left to right (axis 0) or flipped from top to bottom (1) is another one by the same rules. */
  flips(axis) {
    const cells = numbers(this.cells);
    const place = (cell, corner) => [this.layerOf(cell), ...corner].join();
    const at = new Map(cells.map((cell) => [place(cell, this.corner(cell)), cell]));
    const image = cells.map((cell) => at.get(place(cell, this.corner(cell).with(axis, this.surface.size[axis] - 1 - this.corner(cell)[axis]))));
    const name = (line) => line.toSorted((one, other) => one - other).join();
    const lines = new Set(this.lines.map((line) => name(line.cells)));
    const keepsRules = !(axis && this.drop) && this.lines.every((line) => lines.has(name(line.cells.map((cell) => image[cell]))));
    return keepsRules && image.some((cell, index) => cell !== index);
  }

  centre(cell) {
    return this.corner(cell).map((place) => place + 0.5);
  }

  get hasDiscs() {
    return this.surface.marks === "disc";
  }

  /** Whether a column is named where a cell would be. */
  get hasColumns() {
    return this.surface.hasColumns;
  }

  /** Whether a move is a column, which has a value of its own. */
  get movesAreColumns() {
    return false;
  }

  /** Whether a move is a digit, counted from 1. */
  get hasDigits() {
    return this.movesAreColumns && this.columns <= MOST_DIGITS;
  }

  /** Whether the sign of a player is a mark on the board, so that it may have that mark's colour. */
  get marksArePlayers() {
    return this.players[0] === "X";
  }

  // Names

  get family() {
    return this.constructor.family;
  }

  playerOf(state) {
    return this.players[state.turn];
  }

  /** The name of a column: its number from 1 if it is named alone, else a letter; aa follows z. */
  columnName(column) {
    if (this.hasColumns) return String(column + 1);
    return String.fromCharCode(97 + (column % 26)).repeat(1 + Math.floor(column / 26));
  }

  /** The name of a cell: b3, on the second of several layers or boards 2:b3; the number of its column if that is named alone. */
  cellName(cell) {
    if (this.numbered) return String(cell);
    const column = this.columnName(this.columnOf(cell));
    if (this.hasColumns) return column;
    const name = `${column}${this.rowOf(cell) + 1}`;
    return this.layers > 1 ? `${this.layerOf(cell) + 1}:${name}` : name;
  }

  /** The name of a move: b3, 4, X b3, 5 b3, a1 to b2, pop 3; in the words of the page, or of another table (`words`). */
  moveName(state, move, words = texts) {
    const from = this.originOf(move);
    const to = this.cellName(this.cellOf(state, move));
    return from === null ? to : words.fromTo({ from: this.cellName(from), to });
  }

  /** A move within a sentence: b3, or column 4. */
  moveInWords(state, move) {
    const name = this.moveName(state, move);
    return this.hasColumns ? texts.column({ column: name }) : name;
  }

  /** The name of a cell for a screen reader: one column holds several cells. */
  spokenName(cell) {
    return this.hasColumns ? texts.rowAndColumn({ row: this.rowOf(cell) + 1, column: this.cellName(cell) }) : this.cellName(cell);
  }
}
