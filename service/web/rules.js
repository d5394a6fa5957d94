// The rules of line games: who may move where, and when a game ends. Nothing here knows of a page or of a service.

const IN_PROGRESS = { status: "in_progress", winner: null, line: null };

/**
 * A line game, from its description as `GET /games` gives it, or from its `cells` and `lines`. Moves are cells, under
 * gravity columns. A state is never changed: `cells` hold "X", "O" or null; `turn` is 0 or 1, an index of `players`;
 * where a `line` has ended the game, `completer` is the player who completed it, who has lost in misère games.
 */
export class LineRules {
  players = ["X", "O"];

  constructor({ rows, columns, layers = 1, in_a_row: length, gravity = false, misere = false, wrap = false, lines }) {
    Object.assign(this, { rows, columns, layers, gravity, misere, wrap });
    this.size = rows * columns * layers;
    this.drop = gravity ? (layers > 1 ? rows * columns : columns) : 0; // cells from one to that below it
    lazily(this, "lines", () => (lines ? lines.map((cells) => ({ cells: [...cells].sort((one, other) => one - other) })) : straightLines(this, length)));
    lazily(this, "through", () => this.#linesByCell());
  }

  /** The empty board. */
  start() {
    return { cells: Array(this.size).fill(null), turn: 0, plies: 0, newest: null, ...IN_PROGRESS };
  }

  /** A board that was set up, with the player of this index to move. */
  setUp(cells, turn) {
    const state = { cells, turn, plies: cells.filter(Boolean).length, newest: null, ...IN_PROGRESS };
    return { ...state, ...this.#judge(cells, this.lines) };
  }

  /** The moves that may be made, ascending; none when the game is over. */
  legal(state) {
    if (state.status !== "in_progress") return [];
    const first = this.drop || this.size;
    return Array.from({ length: first }, (_, move) => move).filter((move) => state.cells[move] === null);
  }

  /** The state after a legal move. */
  play(state, move) {
    const cell = this.landing(state.cells, move);
    const mark = this.players[state.turn];
    const cells = state.cells.with(cell, mark);
    return { cells, turn: 1 - state.turn, plies: state.plies + 1, newest: cell, ...this.#judge(cells, this.through[cell]) };
  }

  /** The cell where a mark comes to rest that is played at this one; null if there is no room. */
  landing(cells, cell) {
    if (cells[cell] !== null && !this.drop) return null;
    if (!this.drop) return cell;
    let found = cell % this.drop;
    if (cells[found] !== null) return null;
    while (found + this.drop < this.size && cells[found + this.drop] === null) found += this.drop;
    return found;
  }

  #linesByCell() {
    const through = Array.from({ length: this.size }, () => []);
    for (const line of this.lines) for (const cell of line.cells) through[cell].push(line);
    return through;
  }

  #judge(cells, lines) {
    const line = lines.find((line) => cells[line.cells[0]] !== null && line.cells.every((cell) => cells[cell] === cells[line.cells[0]]));
    if (!line) return cells.includes(null) ? IN_PROGRESS : { status: "drawn", winner: null, line: null };
    const owner = cells[line.cells[0]];
    const winner = this.misere ? this.players.find((player) => player !== owner) : owner;
    return { status: "won", winner, line: line.cells, path: line.path, completer: owner };
  }
}

/** Defines a property that is worked out when it is first read: nobody plays most of the games of a catalogue. */
export function lazily(object, name, work) {
  const define = (how) => Object.defineProperty(object, name, { configurable: true, enumerable: true, ...how });
  define({ get: () => define({ value: work() })[name] });
}

/** Every line of so many cells in any direction, each once, as ascending cells and as the path that a pen would take. */
export function straightLines(board, length) {
  const shape = [board.layers ?? 1, board.rows, board.columns];
  const found = new Map();
  for (const start of product(shape.map((size) => [...Array(size).keys()]))) {
    for (const step of board.wrap ? STEPS : FORWARDS) {
      if (!board.wrap && !isWithin(shape, start, step, length)) continue;
      const path = walk(shape, start, step, length, board.wrap);
      if (!path || new Set(path).size < length) continue;
      const cells = [...path].sort((one, other) => one - other);
      const key = cells.join();
      if (!found.has(key)) found.set(key, { cells, path: { start, step, length } });
    }
  }
  return [...found.values()].sort((one, other) => compare(one.cells, other.cells));
}

const STEPS = product([[-1, 0, 1], [-1, 0, 1], [-1, 0, 1]])
  .filter((step) => step.some(Boolean))
  .sort((one, other) => -compare(one, other)); // forwards first
const FORWARDS = STEPS.slice(0, STEPS.length / 2); // all that a board without joined edges needs

function isWithin(shape, start, step, length) {
  return shape.every((size, axis) => {
    const end = start[axis] + (length - 1) * step[axis];
    return end >= 0 && end < size;
  });
}

/** The cells of equal steps; null if an edge comes before there are enough. */
function walk(shape, start, step, length, wrap) {
  const cells = [];
  for (let index = 0; index < length; index += 1) {
    const point = join(shape, start.map((place, axis) => place + index * step[axis]), wrap);
    if (!point) return null;
    cells.push((point[0] * shape[1] + point[1]) * shape[2] + point[2]);
  }
  return cells;
}

/** Where a point beyond joined edges lies on the board; null beyond an edge that is not joined. */
export function join(shape, [layer, row, column], wrap) {
  const mod = (number, size) => ((number % size) + size) % size;
  const times = Math.floor(column / shape[2]); // that the seam was crossed
  let found = [layer, row, column];
  if (wrap === "moebius" && mod(times, 2)) found[1] = shape[1] - 1 - row;
  if (wrap) found[2] = mod(column, shape[2]);
  if (wrap === true || wrap === "torus") found = found.map((place, axis) => mod(place, shape[axis]));
  return found.every((place, axis) => place >= 0 && place < shape[axis]) ? found : null;
}

function compare(one, other) {
  const place = one.findIndex((number, index) => number !== other[index]);
  return place < 0 ? 0 : one[place] - other[place];
}

function product(lists) {
  return lists.reduce((tuples, list) => tuples.flatMap((tuple) => list.map((item) => [...tuple, item])), [[]]);
}
