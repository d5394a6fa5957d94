// A game of the catalogue: what its numbers mean for cells, moves and marks.

const MOST_DIGITS = 9; // columns that one digit each tells apart

/** One game as `GET /games` describes it. Cells are numbered from 0, row by row, layer by layer. */
export class Game {
  constructor(description) {
    Object.assign(this, description);
    this.cellsOfLayer = this.rows * this.columns;
    this.hasColumns = this.gravity && this.layers === 1; // a move is a column of the board
    this.hasDigits = this.hasColumns && this.columns <= MOST_DIGITS; // and a digit, counted from 1
  }

  /** The row of a cell, from 0 at the top. */
  rowOf(cell) {
    return Math.floor(cell / this.columns) % this.rows;
  }

  /** The column of a cell, from 0 at the left. */
  columnOf(cell) {
    return cell % this.columns;
  }

  /** The layer of a cell, from 0. */
  layerOf(cell) {
    return Math.floor(cell / this.cellsOfLayer);
  }

  /** The cell at a layer, row and column, or null beyond the edges. */
  cellAt(layer, row, column) {
    const isWithin = (number, count) => number >= 0 && number < count;
    const isInside = isWithin(layer, this.layers) && isWithin(row, this.rows) && isWithin(column, this.columns);
    return isInside ? layer * this.cellsOfLayer + row * this.columns + column : null;
  }

  /** What requests call a move to this cell: the cell, or under gravity its column. */
  moveTo(cell) {
    if (!this.gravity) return cell;
    return this.layers > 1 ? cell % this.cellsOfLayer : this.columnOf(cell);
  }

  /** Moves as requests take them: a string of columns where it can be one, else their list. */
  written(moves) {
    return this.hasDigits ? moves.map((move) => (Number.isInteger(move) ? move + 1 : "?")).join("") : moves;
  }

  /** The moves of a string of columns; a character that is no digit stands for no move. */
  read(columns) {
    return [...columns].map((digit) => (/^[0-9]$/.test(digit) ? Number(digit) - 1 : NaN));
  }

  /** The cell where a mark comes to rest that is played at `cell`; null if there is no room. */
  landing(marks, cell) {
    if (!this.gravity) return marks[cell] === null ? cell : null;
    const column = marks.map((_, other) => other).filter((other) => this.moveTo(other) === this.moveTo(cell));
    return column.findLast((other) => marks[other] === null) ?? null;
  }

  /** The cells that moves, as requests give them, have marked, in order; up to the first that is impossible. */
  cellsOf(moves) {
    const marks = Array(this.cells).fill(null);
    const cells = [];
    for (const move of moves) {
      const first = marks.findIndex((_, cell) => this.moveTo(cell) === move);
      const cell = first < 0 ? null : this.landing(marks, first);
      if (cell === null) break;
      marks[cell] = "taken";
      cells.push(cell);
    }
    return cells;
  }

  /** Who has marked each cell, "X", "O" or null, after these cells were marked in turn, X first. */
  marksOn(cells) {
    const marks = Array(this.cells).fill(null);
    cells.forEach((cell, ply) => (marks[cell] = playerAt(ply)));
    return marks;
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
    const name = `${column}${this.rowOf(cell) + 1}`;
    return this.layers > 1 ? `${this.layerOf(cell) + 1}:${name}` : name;
  }

  /** The name of a move within a sentence: b3, or column 4. */
  moveName(cell) {
    return this.hasColumns ? `column ${this.cellName(cell)}` : this.cellName(cell);
  }

  /** The names of moves to choose from, columns from the left. */
  choiceName(cells) {
    const ordered = this.hasColumns ? [...cells].sort((one, other) => this.columnOf(one) - this.columnOf(other)) : cells;
    return ordered.map((cell) => this.moveName(cell)).join(" or ");
  }

  /** The names of moves one after the other; a string of columns if each is one digit. */
  lineName(cells) {
    return cells.map((cell) => this.cellName(cell)).join(this.hasDigits ? "" : " ");
  }

  /** The name of a cell for a screen reader: one column holds several cells. */
  spokenName(cell) {
    return this.hasColumns ? `row ${this.rowOf(cell) + 1}, column ${this.cellName(cell)}` : this.cellName(cell);
  }
}

/** Who moves after so many plies. */
export function playerAt(ply) {
  return ply % 2 ? "O" : "X";
}

/** Who is not this player. */
export function opponentOf(player) {
  return player === "X" ? "O" : "X";
}
