// A game: its rules, and what cells, moves and players of it are called.

import { rulesOf } from "./families.js";
import { join } from "./rules.js";
import { texts } from "./texts.js";
import { en } from "./texts_en.js";

const MOST_DIGITS = 9; // columns that one digit each tells apart

/** The game of the first visit, as `GET /games` describes it: its board is there before any answer. */
export const TIC_TAC_TOE = {
  id: "tic-tac-toe",
  ...en.games["tic-tac-toe"],
  rows: 3,
  columns: 3,
  layers: 1,
  in_a_row: 3,
  gravity: false,
  misere: false,
  wrap: false,
  value: { outcome: "draw", plies: 9 },
};

/** The games of these descriptions; those of families that the page does not know are left out. */
export function gamesOf(descriptions) {
  return descriptions.flatMap((description) => {
    try {
      const game = new Game(description);
      return game.rules === null ? [] : [game];
    } catch {
      return [];
    }
  });
}

/** One game as `GET /games` describes it, or as own rules do. Cells are numbered from 0, row by row, layer by layer. */
export class Game {
  #legal = new WeakMap(); // the legal moves of states, as texts
  #images = null;

  constructor(description) {
    Object.assign(this, { layers: 1, gravity: false, value: null }, description);
    this.rules = rulesOf(this);
    this.about = description.rules;
    this.cells = this.rules.size;
    this.rows = this.rules.rows;
    this.columns = this.rules.columns;
    this.players = this.rules.players;
    this.cellsOfLayer = this.rows * this.columns;
    this.isLine = (description.family ?? "line") === "line";
    this.isCustom = this.id === "custom";
    this.asked = description.asked ?? this.id; // what requests call it
    this.hasDiscs = Boolean(this.gravity || this.rules.gravity);
    this.hasColumns = this.hasDiscs && this.layers === 1; // a move is a column of the board
    this.hasPoints = this.family === "morris" && this.rules.points > 9; // which have numbers, as they are in no rows and columns
    this.hasDigits = this.isLine && this.hasColumns && this.columns <= MOST_DIGITS; // and a digit, counted from 1
  }

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

  isLegal(state, move) {
    if (!this.#legal.has(state)) this.#legal.set(state, new Set(this.rules.legal(state).map(String)));
    return this.#legal.get(state).has(String(move));
  }

  /** What a player chooses beside the board before a move: marks, digits, or whether to drop or to pop. */
  choices(state) {
    return this.isLine || state.status !== "in_progress" ? [] : this.rules.choices(state);
  }

  /** What a tap on a cell means: a legal `move` and the cell it changes, the piece `from` which a move goes, or null. */
  aim(state, cell, choice, from) {
    const meant = this.isLine ? { move: this.moveTo(cell) } : this.rules.tap(state, cell, choice, from);
    if (meant.from !== undefined) return state.status === "in_progress" ? meant : null;
    return this.isLegal(state, meant.move) ? { move: meant.move, cell: this.cellOf(state, meant.move) } : null;
  }

  /** The cell that a move changes. */
  cellOf(state, move) {
    return this.rules.play(state, move).newest ?? this.cells - this.columns + Number(String(move).slice(1));
  }

  /** The point from which a move takes a piece; null if it takes none. */
  originOf(move) {
    const [from, to] = String(move).split(">");
    return to === undefined ? null : Number(from);
  }

  /** What requests call a move of a line game to this cell: the cell, or under gravity its column. */
  moveTo(cell) {
    return this.rules.drop ? cell % this.rules.drop : cell;
  }

  /** The move in an answer. */
  moveIn(answer) {
    return this.isLine ? this.moveTo(answer.move) : answer.name;
  }

  /** The moves of a principal variation as the rules take them. */
  movesIn(pv) {
    return this.isLine ? pv.map((cell) => this.moveTo(cell)) : pv;
  }

  /** The state before each of some moves and after the last; up to the first that is not legal. */
  follow(start, moves) {
    const states = [start];
    for (const move of moves) {
      if (!this.isLegal(states.at(-1), move)) break;
      states.push(this.rules.play(states.at(-1), move));
    }
    return states;
  }

  /** Moves as requests take them: a string of columns where it can be one, else their list. */
  written(moves) {
    return this.hasDigits ? moves.map((move) => move + 1).join("") : moves;
  }

  /** The moves of a text in a link. */
  read(text) {
    if (this.hasDigits) return [...text.replace(/[\s,]/g, "")].map((digit) => (/^[0-9]$/.test(digit) ? Number(digit) - 1 : digit));
    return text.split(/[\s,]+/).filter(Boolean).map((move) => (/^\d+$/.test(move) && this.family !== "morris" ? Number(move) : move));
  }

  playerOf(state) {
    return this.players[state.turn];
  }

  /** The name of a column: its number from 1 if it is a move, else a letter; aa follows z. */
  columnName(column) {
    if (this.hasColumns) return String(column + 1);
    return String.fromCharCode(97 + (column % 26)).repeat(1 + Math.floor(column / 26));
  }

  /** The name of a cell: b3, on the second of several layers 2:b3; the number of its column if that is the move. */
  cellName(cell) {
    const column = this.columnName(this.columnOf(cell));
    if (this.hasColumns) return column;
    if (this.hasPoints) return String(cell);
    const name = `${column}${this.rowOf(cell) + 1}`;
    return this.layers > 1 ? `${this.layerOf(cell) + 1}:${name}` : name;
  }

  /** The name of a move: b3, 4, X b3, 5 b3, a1 to b2, pop 3; in the words of the page, or of another table. */
  moveName(state, move, words = texts) {
    if (this.isLine) return this.cellName(this.cellOf(state, move));
    const text = String(move);
    const points = text.split(">").map(Number);
    const [from, to] = points.map((point) => this.cellName(point));
    if (this.family === "morris") return to === undefined ? from : words.fromTo({ from, to });
    const name = this.cellName(this.cellOf(state, move));
    if (this.family === "wild" || this.family === "order-and-chaos") return `${text[0]} ${name}`;
    if (this.family === "numerical") return `${text.split("@")[0]} ${name}`;
    return text[0] === "p" ? words.pop({ column: name }) : name;
  }

  /** A move within a sentence: b3, or column 4. */
  moveInWords(state, move) {
    const isColumn = this.hasColumns && String(move)[0] !== "p"; // a pop is named as one
    return isColumn ? texts.column({ column: this.moveName(state, move) }) : this.moveName(state, move);
  }

  /** The name of a cell for a screen reader: one column holds several cells. */
  spokenName(cell) {
    return this.hasColumns ? texts.rowAndColumn({ row: this.rowOf(cell) + 1, column: this.cellName(cell) }) : this.cellName(cell);
  }

  /** Whether the sign of a player is a mark on the board, so that it may have that mark's colour. */
  get marksArePlayers() {
    return this.players[0] === "X";
  }
}
