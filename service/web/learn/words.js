// What happens in the search of the lesson, in words.

import { texts } from "../words/texts.js";

/** A count as the language of the page writes it. */
export const shown = (count) => count.toLocaleString(texts.language);

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
  const said = texts.lesson;
  return value === 0 ? said.draw : said.won({ player: value > 0 ? "X" : "O", marks: 10 - Math.abs(value) });
}

/** The sentence for a step at a node. */
export function sentence(step, node, pruning, size) {
  const said = texts.lesson;
  const player = node.isX ? "X" : "O";
  const last = step.path === "" ? said.root : said.played({ player: node.isX ? "O" : "X", cell: cellName(Number(step.path.at(-1))) });
  const told = {
    end: () => said.ended({ last, meaning: meaning(step.value), value: signed(step.value) }),
    enter: () => said.entered({ last, player, choices: node.choices }) + (pruning ? said.window({ range: windowOf(step) }) : ""),
    closed: () => said.closed({ last, searched: step.searched, value: valueIn(step) }),
    back: () => backed(step, player, pruning),
    cut: () => cut(step, player),
    done: () => said.done({ meaning: meaning(step.value), visited: shown(step.nodes), size, cuts: step.cutOffs }),
  };
  return told[step.kind]();
}

function backed(step, player, pruning) {
  const named = { cell: cellName(Number(step.child.at(-1))), came: signed(step.came), player, value: signed(step.value) };
  if (!step.isBetter) return texts.lesson.worse(named);
  const isBound = pruning && step[player === "X" ? "alpha" : "beta"] === step.value;
  return texts.lesson.better(named) + (isBound ? texts.lesson.bound(named) : "");
}

function cut(step, player) {
  const sure = signed(player === "X" ? step.beta : step.alpha);
  return texts.lesson.cut({ player, other: player === "X" ? "O" : "X", value: signed(step.value), isDraw: step.value === 0, sure, left: step.left.length });
}
