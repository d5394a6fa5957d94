// The rules of the other families, each a small class. States are as in rules.js; moves have the names of the API.
// `choices` are what a player picks beside the board before a tap, `tap` is the move or the piece that a tap means.

import { LineRules, lazily, straightLines } from "./rules.js";

const IN_PROGRESS = { status: "in_progress", winner: null, line: null };
const DRAWN = { status: "drawn", winner: null, line: null };
const numbers = (count) => [...Array(count).keys()];
const free = ({ cells }) => numbers(cells.length).filter((cell) => cells[cell] === null);

/**
 * What the families share; each says how a legal move changes the state, and how the game stands then. The `completer`
 * of a line is the player who moved last, also where the line is the other's; `isBoth`: both have one, and it is a draw.
 */
class Family {
  misere = false;

  constructor({ rows, columns, players, parameters: { moves: _, ...parameters } }) {
    Object.assign(this, { rows, columns, layers: 1, players, ...parameters });
    this.size = rows * columns;
    lazily(this, "lines", () => straightLines({ rows, columns }, this.in_a_row ?? 3));
  }

  start() {
    return { cells: Array(this.size).fill(null), turn: 0, plies: 0, newest: null, ...IN_PROGRESS };
  }

  legal(state) {
    return state.status === "in_progress" ? this.moves(state) : [];
  }

  /** The state after a legal move. */
  play(state, move) {
    const next = { ...state, turn: 1 - state.turn, plies: state.plies + 1, ...this.change(state, move) };
    return { ...next, ...this.judge(next, state.turn), completer: this.players[state.turn] };
  }

  /** The moves while the game is on: the empty cells. */
  moves(state) {
    return free(state);
  }

  choices() {
    return [];
  }

  tap(state, cell) {
    return { move: cell };
  }

  won(turn, line) {
    return { status: "won", winner: this.players[this.misere ? 1 - turn : turn], line: line?.cells ?? null, path: line?.path };
  }

  orFull(state) {
    return state.cells.includes(null) ? IN_PROGRESS : DRAWN;
  }

  /** The first line of which every cell holds this mark. */
  lineOf(cells, mark, lines = this.lines) {
    return lines.find((line) => line.cells.every((cell) => cells[cell] === mark));
  }
}

class Wild extends Family {
  moves(state) {
    return free(state).flatMap((cell) => [`X${cell}`, `O${cell}`]);
  }

  choices() {
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
    const line = this.lineOf(state.cells, "X") ?? this.lineOf(state.cells, "O");
    return line ? this.won(mover, line) : this.orFull(state);
  }
}

class OrderAndChaos extends Wild {
  judge(state) {
    const line = this.lineOf(state.cells, "X") ?? this.lineOf(state.cells, "O");
    if (line) return this.won(this.players.indexOf("Order"), line);
    return state.cells.includes(null) ? IN_PROGRESS : this.won(this.players.indexOf("Chaos"));
  }
}

class Notakto extends Family {
  constructor(description) {
    super(description);
    const { boards = 1, rows = 3, columns = 3, in_a_row: length = 3, misere = true } = description.parameters;
    Object.assign(this, { boards, misere, rows: boards * rows, boardCells: rows * columns });
    lazily(this, "boardLines", () => this.#linesByBoard(straightLines({ rows, columns }, length)));
  }

  #linesByBoard(lines) {
    return numbers(this.boards).map((board) => lines.map((line) => ({ cells: line.cells.map((cell) => cell + board * this.boardCells) })));
  }

  #isDead(cells, board) {
    return Boolean(this.lineOf(cells, "X", this.boardLines[board]));
  }

  #name(cell) {
    return this.boards === 1 ? cell : `${Math.floor(cell / this.boardCells)}.${cell % this.boardCells}`;
  }

  moves(state) {
    const dead = numbers(this.boards).map((board) => this.#isDead(state.cells, board));
    return free(state).filter((cell) => !dead[Math.floor(cell / this.boardCells)]).map((cell) => this.#name(cell));
  }

  tap(state, cell) {
    return { move: this.#name(cell) };
  }

  change({ cells }, move) {
    const [board, cell] = this.boards === 1 ? [0, Number(move)] : move.split(".").map(Number);
    const marked = board * this.boardCells + cell;
    return { cells: cells.with(marked, "X"), newest: marked };
  }

  judge({ cells, turn }) {
    const dead = numbers(this.boards).filter((board) => this.#isDead(cells, board));
    const lost = dead.flatMap((board) => numbers(this.boardCells).map((cell) => cell + board * this.boardCells));
    if (dead.length < this.boards) return { ...IN_PROGRESS, dead: lost };
    return { ...this.won(1 - turn, this.lineOf(cells, "X", this.boardLines.flat().reverse())), dead: lost };
  }
}

class Numerical extends Family {
  #digits({ cells, turn }) {
    return numbers(9).map((digit) => String(digit + 1)).filter((digit) => digit % 2 === 1 - turn && !cells.includes(digit));
  }

  moves(state) {
    return this.#digits(state).flatMap((digit) => free(state).map((cell) => `${digit}@${cell}`));
  }

  choices(state) {
    return this.#digits(state);
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
    const line = this.lines.find((line) => line.cells.every((cell) => cells[cell]) && line.cells.reduce((sum, cell) => sum + Number(cells[cell]), 0) === 15);
    return line ? this.won(mover, line) : this.orFull(state);
  }
}

class Vanishing extends Family {
  start() {
    return { ...super.start(), ages: [[], []] };
  }

  moves(state) {
    const oldest = this.remove === "before" ? this.#doomed(state.ages[state.turn]) : null;
    return numbers(this.size).filter((cell) => state.cells[cell] === null || cell === oldest);
  }

  #doomed(cells) {
    return cells.length === this.marks ? cells[0] : null;
  }

  change({ cells, ages, turn }, cell) {
    const doomed = this.#doomed(ages[turn]);
    const written = cells.with(cell, this.players[turn]);
    const keeps = doomed === null || (this.remove === "after" && this.lineOf(written, this.players[turn]));
    const mine = [...(keeps ? ages[turn] : ages[turn].slice(1)), cell];
    const left = keeps || doomed === cell ? written : written.with(doomed, null);
    return { cells: left, newest: cell, ages: ages.with(turn, mine) };
  }

  judge(state, mover) {
    const fading = state.ages.map((cells) => this.#doomed(cells)).filter((cell) => cell !== null);
    const line = this.lineOf(state.cells, this.players[mover]);
    if (line) return { ...this.won(mover, line), fading: [] };
    return { ...(this.moves(state).length ? IN_PROGRESS : DRAWN), fading };
  }
}

const SQUARE = [[0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8]];
const DIAGONALS = [[0, 4, 8], [2, 4, 6]];
const CROSSINGS = [[0, 9, 4, 12, 8], [2, 10, 4, 11, 6], [1, 9, 3], [1, 10, 5], [3, 11, 7], [5, 12, 7]]; // of picaria
const CENTRE = 4;

class Morris extends Family {
  constructor(description) {
    super(description);
    const { points = 9, marks = 3, moves = "orthogonal", diagonals_win: diagonalsWin = true } = description.parameters;
    const isLarge = points > 9;
    const triples = CROSSINGS.flatMap((line) => line.slice(2).map((_, start) => line.slice(start, start + 3)));
    const lines = [...SQUARE, ...(diagonalsWin ? (isLarge ? triples : DIAGONALS) : [])];
    Object.assign(this, { points, marks });
    lazily(this, "lines", () => lines.map((cells) => ({ cells })));
    this.drawn = [...SQUARE, ...(moves === "diagonals" ? (isLarge ? CROSSINGS : DIAGONALS) : [])]; // the lines of the board
    this.near = neighbours(moves, points, this.drawn);
  }

  /** Where the points are, from 0 to 4 across and down. */
  place(point) {
    return point < 9 ? [2 * (point % 3), 2 * Math.floor(point / 3)] : [[1, 1], [3, 1], [1, 3], [3, 3]][point - 9];
  }

  moves(state) {
    const mine = numbers(this.size).filter((point) => state.cells[point] === this.players[state.turn]);
    if (mine.length < this.marks) return this.#open(state).map(String);
    return mine.flatMap((start) => this.near[start].filter((end) => state.cells[end] === null).map((end) => `${start}>${end}`));
  }

  #open(state) {
    const isEmpty = state.cells.every((cell) => cell === null);
    const isClosed = this.centre === "closed" || (this.centre === "not-first" && isEmpty);
    return free(state).filter((point) => point !== CENTRE || !isClosed);
  }

  tap(state, point, choice, from) {
    const mover = this.players[state.turn];
    if (state.cells.filter((cell) => cell === mover).length < this.marks) return { move: String(point) };
    if (state.cells[point] === mover) return { from: point === from ? null : point };
    return { move: `${from}>${point}` };
  }

  change({ cells, turn }, move) {
    const [start, end] = move.includes(">") ? move.split(">").map(Number) : [null, Number(move)];
    const left = start === null ? cells : cells.with(start, null);
    return { cells: left.with(end, this.players[turn]), newest: end, from: start };
  }

  judge(state, mover) {
    const line = this.lineOf(state.cells, this.players[mover]);
    if (line) return this.won(mover, line);
    if (this.moves(state).length) return IN_PROGRESS;
    return this.stuck === "draw" ? DRAWN : this.won(mover);
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

class PopOut extends Family {
  gravity = true;

  #bottom(column) {
    return this.size - this.columns + column;
  }

  moves({ cells, turn }) {
    const drops = numbers(this.columns).filter((column) => cells[column] === null);
    const pops = numbers(this.columns).filter((column) => cells[this.#bottom(column)] === this.players[turn]);
    return [...drops.map((column) => `d${column}`), ...pops.map((column) => `p${column}`)];
  }

  choices() {
    return ["drop", "pop"];
  }

  tap(state, cell, choice) {
    return { move: `${choice === "pop" ? "p" : "d"}${cell % this.columns}` };
  }

  change({ cells, turn }, move) {
    const column = Number(move.slice(1));
    const own = numbers(this.rows).map((row) => row * this.columns + column);
    const next = [...cells];
    if (move[0] === "d") {
      const cell = own.findLast((cell) => cells[cell] === null);
      next[cell] = this.players[turn];
      return { cells: next, newest: cell };
    }
    own.forEach((cell, row) => (next[cell] = row ? cells[own[row - 1]] : null));
    return { cells: next, newest: null };
  }

  judge(state, mover) {
    const other = 1 - mover;
    const [mine, theirs] = [mover, other].map((turn) => this.lineOf(state.cells, this.players[turn]));
    if (mine && theirs && this.both === "draw") return { ...DRAWN, isBoth: true };
    if (mine && (!theirs || this.both !== "opponent-wins")) return this.won(mover, mine);
    if (theirs) return this.won(other, theirs);
    return this.moves(state).length ? IN_PROGRESS : DRAWN;
  }
}

class Exactly extends Family {
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

const FAMILIES = {
  wild: Wild,
  notakto: Notakto,
  "order-and-chaos": OrderAndChaos,
  numerical: Numerical,
  vanishing: Vanishing,
  morris: Morris,
  "pop-out": PopOut,
  exactly: Exactly,
};

/** The rules of a game, from its description; null if the page does not know its family. */
export function rulesOf(description) {
  const { family = "line" } = description;
  if (family === "line") return new LineRules(description);
  return FAMILIES[family] ? new FAMILIES[family](description) : null;
}
