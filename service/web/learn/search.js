// Alpha-beta on 3x3, step by step. Positions are two masks of cells; values are those of X: 10 minus the marks on the
// board where X wins, the negative of that where O wins, 0 for a draw.

export const CELLS = [0, 1, 2, 3, 4, 5, 6, 7, 8];
const LINES = [0o7, 0o70, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124];
const FULL = 0o777;
const HAS_LINE = Array.from({ length: FULL + 1 }, (_, mask) => LINES.some((line) => (line & mask) === line));
const [exactScores, sizes] = [new Map(), new Map()];
const orders = { cells: new Map(), best: new Map(), worst: new Map() };

const marksOf = (mask) => CELLS.reduce((count, cell) => count + ((mask >> cell) & 1), 0);
const movesOf = (marks) => CELLS.filter((cell) => !((marks >> cell) & 1));

/** The position of a text such as "XO..X....". */
export function positionOf(text) {
  const mask = (sign) => CELLS.reduce((found, cell) => found | (text[cell] === sign ? 1 << cell : 0), 0);
  const [x, o] = [mask("X"), mask("O")];
  return { x, o, isX: marksOf(x) <= marksOf(o) };
}

/** The position after a move. */
export function played({ x, o, isX }, cell) {
  return isX ? { x: x | (1 << cell), o, isX: false } : { x, o: o | (1 << cell), isX: true };
}

/** Whether a text is a position; at most one player has a line. */
export function isPosition(text) {
  if (!/^[XO.]{9}$/.test(text)) return false;
  const { x, o } = positionOf(text);
  return !(HAS_LINE[x] && HAS_LINE[o]);
}

/** The value for X of a position that has ended, or null. A line counts before a full board. */
export function endOf({ x, o }) {
  const worth = 10 - marksOf(x | o);
  if (HAS_LINE[x]) return worth;
  if (HAS_LINE[o]) return -worth;
  return (x | o) === FULL ? 0 : null;
}

/** The nodes of the whole tree below and with a position. */
export function sizeOf(position) {
  return kept(sizes, position, () => {
    if (endOf(position) !== null) return 1;
    return movesOf(position.x | position.o).reduce((sum, cell) => sum + sizeOf(played(position, cell)), 1);
  });
}

/** The value for X under best play. */
export function valueOf(position) {
  return kept(exactScores, position, () => {
    const values = movesOf(position.x | position.o).map((cell) => () => valueOf(played(position, cell)));
    return endOf(position) ?? (position.isX ? Math.max : Math.min)(...values.map((value) => value()));
  });
}

const slotOf = (value) => Math.max(-15, Math.min(15, value)) + 16; // an end of a window in five bits
const keyOf = ({ x, o, isX }) => (x << 10) | (o << 1) | Number(isX);

function kept(memory, position, work) {
  const key = keyOf(position);
  if (!memory.has(key)) memory.set(key, work());
  return memory.get(key);
}

/** The moves of a position in the order of a search: "cells", "best" first or "worst" first. */
export function ordered(position, order) {
  return kept(orders[order], position, () => {
    const moves = movesOf(position.x | position.o);
    if (order === "cells") return moves;
    const sign = (position.isX ? -1 : 1) * (order === "best" ? 1 : -1);
    const worth = new Map(moves.map((cell) => [cell, sign * valueOf(played(position, cell))]));
    return moves.sort((one, other) => worth.get(one) - worth.get(other) || one - other);
  });
}

/**
 * Searches a position and emits every step.
 *
 * A node is the path to it, a text of cells. Steps are emitted for nodes whose parent is open; what lies below a closed
 * node is searched in one step: once for each position and window, and counted as often as it would be visited. Every
 * step has the node, what has been visited and cut off until then, and the window from `alpha`, which X has for
 * certain, to `beta`, which O has; `value` is what is known of the node.
 */
export function search(root, { pruning = true, order = "cells", isOpen = () => false } = {}) {
  const steps = [];
  const count = { nodes: 0, cutOffs: 0 };
  const searched = new Map();
  const tell = (kind, path, more) => steps.push({ kind, path, ...count, ...more });

  function visit(position, alpha, beta, path, isShown) {
    const before = count.nodes++;
    const end = endOf(position);
    if (end !== null) {
      if (isShown) tell("end", path, { value: end, alpha, beta });
      return end;
    }
    const isInside = isShown && isOpen(path);
    if (isInside) tell("enter", path, { alpha, beta });
    const value = best(position, alpha, beta, path, isInside);
    if (isShown && !isInside) tell("closed", path, { value, alpha, beta, searched: count.nodes - before });
    return value;
  }

  /** The value of a node without emitted steps. */
  function visitHidden(position, alpha, beta) {
    const key = (keyOf(position) << 10) | (slotOf(alpha) << 5) | slotOf(beta);
    const { nodes, cutOffs } = count;
    const known = searched.get(key);
    const value = known ? known.value : visit(position, alpha, beta, "", false);
    if (!known) searched.set(key, { value, nodes: count.nodes - nodes, cutOffs: count.cutOffs - cutOffs });
    count.nodes += known?.nodes ?? 0;
    count.cutOffs += known?.cutOffs ?? 0;
    return value;
  }

  function best(position, alpha, beta, path, isInside) {
    const { isX } = position;
    const moves = ordered(position, order);
    let [value, low, high] = [isX ? -Infinity : Infinity, alpha, beta];
    for (const [index, cell] of moves.entries()) {
      const next = played(position, cell);
      const came = isInside ? visit(next, low, high, path + cell, true) : visitHidden(next, low, high);
      const isBetter = isX ? came > value : came < value;
      if (isBetter) value = came;
      if (pruning && isX) low = Math.max(low, value);
      if (pruning && !isX) high = Math.min(high, value);
      if (isInside) tell("back", path, { child: path + cell, came, value, isBetter, alpha: low, beta: high });
      if (low < high) continue;
      const left = moves.slice(index + 1).map((each) => path + each);
      if (left.length) count.cutOffs += 1;
      if (left.length && isInside) tell("cut", path, { left, value, alpha, beta });
      break;
    }
    return value;
  }

  const value = visit(root, -Infinity, Infinity, "", true);
  tell("done", "", { value, alpha: -Infinity, beta: Infinity });
  return { value, ...count, steps };
}
