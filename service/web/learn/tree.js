// The tree of the lesson: which nodes are shown, and where.

import { endOf, ordered, played, sizeOf } from "./search.js";

export const DOWN = 120; // from level to level
const ACROSS = 54; // from leaf to leaf
const MOST_OPEN = 400; // nodes shown at first

/** The paths of the nodes that are open at first: level by level, as many as can be read. */
export function openAtFirst(root) {
  const open = new Set();
  let [shown, level] = [1, [["", root]]];
  for (;;) {
    const inner = level.filter(([, position]) => endOf(position) === null);
    level = inner.flatMap(([path, position]) => ordered(position, "cells").map((cell) => [path + cell, played(position, cell)]));
    shown += level.length;
    if (!level.length || shown > MOST_OPEN) return open;
    for (const [path] of inner) open.add(path);
  }
}

/** The nodes that are shown, by their paths, parents first; from left to right as the search visits them. */
export function grow(root, order, open) {
  const nodes = new Map();
  let leaves = 0;
  function add(position, path, parent) {
    const node = { ...position, path, parent, children: [], size: sizeOf(position), isEnd: endOf(position) !== null };
    nodes.set(path, node);
    node.isClosed = !node.isEnd && !open.has(path);
    const moves = node.isEnd ? [] : ordered(position, order);
    node.children = node.isClosed ? [] : moves.map((cell) => add(played(position, cell), path + cell, node));
    node.choices = moves.length;
    const [first, last] = [node.children[0], node.children.at(-1)];
    node.left = first ? (first.left + last.left) / 2 : leaves++ * ACROSS;
    node.top = path.length * DOWN;
    return node;
  }
  add(root, "", null);
  return nodes;
}

/** What is known of each node after some steps: its state, its value, its window, and which branches are cut off. */
export function stateAfter(steps) {
  const known = new Map();
  const at = (path) => known.get(path) ?? known.set(path, { state: "" }).get(path);
  for (const step of steps) {
    const node = at(step.path);
    if (step.kind === "end" || step.kind === "closed") Object.assign(node, { state: "done", step });
    if (step.kind === "enter") Object.assign(node, { state: "open", step, first: step });
    if (step.kind === "back") {
      Object.assign(at(step.child), { state: "done" });
      Object.assign(node, { step: { ...step, kind: "open" }, best: step.isBetter ? step.child : node.best });
    }
    if (step.kind === "cut") {
      node.isCut = true;
      for (const path of step.left) at(path).state = "cut";
    }
    if (step.kind === "done") node.state = "done";
  }
  return known;
}
