// Lines on boards, and the cells beyond joined edges. Nothing here knows of a page or of a service.

/** Defines a property that is computed when it is first read: most games of the catalogue are never played. */
export function lazily(object, name, work) {
  const define = (how) => Object.defineProperty(object, name, { configurable: true, enumerable: true, ...how });
  define({ get: () => define({ value: work() })[name] });
}

/** The first `count` numbers from 0. */
export function numbers(count) {
  return [...Array(count).keys()];
}

/** Every line of a given length in any direction, each once, as ascending cells and as the path that a pen would take. */
export function straightLines(board, length) {
  const shape = [board.layers ?? 1, board.rows, board.columns];
  const found = new Map();
  for (const start of product(shape.map(numbers))) {
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

/** The cells that would make a line longer, at both ends. */
export function endsOf({ rows, columns }, line) {
  if (line.length < 2) return [];
  const at = (cell) => [Math.floor(cell / columns), cell % columns];
  const [[row, column], [nextRow, nextColumn], [lastRow, lastColumn]] = [at(line[0]), at(line[1]), at(line.at(-1))];
  const [down, right] = [nextRow - row, nextColumn - column];
  const beyond = [[row - down, column - right], [lastRow + down, lastColumn + right]];
  return beyond.filter(([y, x]) => y >= 0 && y < rows && x >= 0 && x < columns).map(([y, x]) => y * columns + x);
}
