// What happens in the search of the lesson, in words.

const number = (count) => count.toLocaleString("en");
const times = (count, one, many) => `${number(count)} ${count === 1 ? one : many}`;

/** A value as the picture writes it: +3, 0, −∞. */
export function signed(value) {
  if (!Number.isFinite(value)) return value > 0 ? "+∞" : "−∞";
  return value > 0 ? `+${value}` : String(value).replace("-", "−");
}

/** The window between what X and what O have for certain. */
export function windowOf({ alpha, beta }) {
  return `[${signed(alpha)}, ${signed(beta)}]`;
}

/** A value that may be a bound: a search that ends outside of its window has proven no more. */
export function valueIn({ kind, value, alpha, beta }) {
  if (kind !== "end" && value <= alpha) return `≤ ${signed(value)}`;
  if (kind !== "end" && value >= beta) return `≥ ${signed(value)}`;
  return signed(value);
}

/** A cell as everywhere else: b3 is in the second column and the third row. */
export function cellName(cell) {
  return `${"abc"[cell % 3]}${Math.floor(cell / 3) + 1}`;
}

/** What a value of a finished or proven position means. */
export function meaning(value) {
  if (value === 0) return "a draw";
  return `a win for ${value > 0 ? "X" : "O"} with ${10 - Math.abs(value)} marks on the board`;
}

/** The sentence for a step at a node. */
export function sentence(step, node, pruning, size) {
  const mover = node.isX ? "X" : "O";
  const last = step.path === "" ? "The first position" : `${node.isX ? "O" : "X"} plays ${cellName(Number(step.path.at(-1)))}`;
  const said = {
    end: () => `${last}. The game is over: ${meaning(step.value)}, worth ${signed(step.value)}.`,
    enter: () => `${last}. ${mover} to move takes the ${node.isX ? "highest" : "lowest"} value of ${times(node.choices, "move", "moves")}.${pruning ? ` The window is ${windowOf(step)}.` : ""}`,
    closed: () => `${last}. This branch is closed, so its ${times(step.searched, "position", "positions")} were searched in one step: worth ${valueIn(step)}.`,
    back: () => backed(step, mover, pruning),
    cut: () => cut(step, mover),
    done: () => `Done. Best play from here is ${meaning(step.value)}. Visited ${number(step.nodes)} of ${times(size, "position", "positions")}, with ${times(step.cutOffs, "cut-off", "cut-offs")}.`,
  };
  return said[step.kind]();
}

function backed(step, mover, pruning) {
  const move = `${cellName(Number(step.child.at(-1)))} gives ${signed(step.came)}`;
  if (!step.isBetter) return `${move}: no better for ${mover} than ${signed(step.value)}.`;
  const bound = mover === "X" ? "alpha" : "beta";
  const isBound = pruning && step[bound] === step.value;
  return `${move}: the best for ${mover} so far.${isBound ? ` So ${bound} is ${signed(step.value)}.` : ""}`;
}

function cut(step, mover) {
  const other = mover === "X" ? "O" : "X";
  const sure = mover === "X" ? step.beta : step.alpha;
  const held = step.value === 0 ? "hold a draw" : `reach ${signed(step.value)}`;
  const left = step.left.length === 1 ? "The other move is" : `The other ${step.left.length} moves are`;
  return `${mover} to move can ${held} here, and ${other} already has ${signed(sure)} elsewhere. So ${other} will not come here. ${left} not searched.`;
}
