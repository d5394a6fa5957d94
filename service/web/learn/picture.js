// Draws the tree of the lesson: small boards, edges, values, windows and cut-offs.

import { CELLS } from "./search.js";
import { DOWN } from "./tree.js";
import { shown, valueIn, windowOf } from "./words.js";
import { texts } from "../words/texts.js";

const NAMESPACE = "http://www.w3.org/2000/svg";
const HALF = 18; // of the side of a small board
const CELL = 12;
const NAME = 14; // of a level, below its upper edge
const SMALLEST = 60; // height of a level that has a name
const GRID = "M-6 -18V18M6 -18V18M-18 -6H18M-18 6H18";

function drawn(name, attributes, ...children) {
  const element = document.createElementNS(NAMESPACE, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

const middle = (cell) => [((cell % 3) - 1) * CELL, (Math.floor(cell / 3) - 1) * CELL];
const marked = (mask) => CELLS.filter((cell) => (mask >> cell) & 1).map(middle);
const cross = ([x, y]) => `M${x - 3.5} ${y - 3.5}l7 7m0 -7l-7 7`;
const ring = ([x, y]) => `M${x - 3.8} ${y}a3.8 3.8 0 1 0 7.6 0a3.8 3.8 0 1 0 -7.6 0`;

/** A line of text on a ground of its own, on which no edge is seen. */
class Tag {
  #ground;
  #text;
  #width;

  constructor(name, middle, width) {
    this.#ground = drawn("rect", { y: middle - 8, height: 16, rx: 4 });
    this.#text = drawn("text", { y: middle, dy: ".36em" });
    this.#width = width;
    this.element = drawn("g", { class: `tag ${name}` }, this.#ground, this.#text);
  }

  write(text) {
    if (this.#text.textContent === text) return;
    const width = text && text.length * this.#width + 4;
    this.#text.textContent = text;
    this.#ground.setAttribute("x", -width / 2);
    this.#ground.setAttribute("width", Number(width));
  }
}

export class Picture {
  #levels;
  #world;
  #parts = new Map();

  constructor(svg) {
    this.#levels = drawn("g", { class: "bands" });
    this.#world = drawn("g", { class: "world" });
    svg.replaceChildren(this.#levels, this.#world);
  }

  /** Draws the nodes of a tree. */
  draw(nodes) {
    this.#parts = new Map([...nodes.values()].map((node) => [node.path, this.#partsOf(node)]));
    const parts = [...this.#parts.values()];
    this.#world.replaceChildren(...parts.map(({ edge }) => edge), ...parts.map(({ box }) => box));
    const depth = Math.max(...[...nodes.keys()].map((path) => path.length));
    const { isX } = nodes.get("");
    this.#levels.replaceChildren(...Array.from({ length: depth + 1 }, (_, level) => band(level % 2 ? !isX : isX)));
    this.size = { width: Math.max(1, ...[...nodes.values()].map(({ left }) => left)), height: Math.max(1, depth) * DOWN, left: nodes.get("").left };
  }

  #partsOf(node) {
    const newest = node.path && middle(Number(node.path.at(-1)));
    const value = new Tag("worth", -30, 8.5);
    const range = new Tag("range", node.isClosed ? 47 : 31, 6.8);
    const note = node.isClosed ? new Tag("more", 31, 7) : new Tag("cut-off", 47, 7.2);
    const box = drawn("g", { class: "spot", transform: `translate(${node.left} ${node.top})`, "data-path": node.path },
      drawn("rect", { class: "face", x: -HALF - 3, y: -HALF - 3, width: 2 * HALF + 6, height: 2 * HALF + 6, rx: 5 }),
      ...(newest ? [drawn("rect", { class: "latest", x: newest[0] - 6, y: newest[1] - 6, width: CELL, height: CELL })] : []),
      drawn("path", { class: "grid", d: GRID }),
      drawn("path", { class: "X", d: marked(node.x).map(cross).join("") }),
      drawn("path", { class: "O", d: marked(node.o).map(ring).join("") }),
      value.element, range.element, note.element);
    if (node.isClosed) note.write(`+ ${shown(node.size - 1)}`);
    if (!node.isEnd) box.classList.add("inner");
    return { node, box, value, range, note, edge: edgeTo(node) };
  }

  /** Shows what is known of each node, and where the search is. */
  show(known, current, pruning) {
    const cut = new Set(); // cut off, or below what is
    for (const [path, parts] of this.#parts) {
      const told = known.get(path) ?? { state: "" };
      const isBest = known.get(parts.node.parent?.path)?.best === path;
      const isBelow = cut.has(parts.node.parent?.path);
      if (isBelow || told.state === "cut") cut.add(path);
      const classes = [isBelow ? "below" : told.state, path === current && "current", current.startsWith(path) && "path", isBest && "best"];
      const names = classes.filter(Boolean).join(" ");
      if (names !== parts.names) {
        parts.box.setAttribute("class", `spot ${parts.node.isEnd ? "" : "inner"} ${names}`);
        parts.edge.setAttribute("class", `edge ${names}`);
        parts.names = names;
      }
      this.#write(parts, told, pruning);
    }
  }

  #write({ node, value, range, note }, told, pruning) {
    value.write(told.step && Number.isFinite(told.step.value) ? shownValue(told) : "");
    range.write(pruning && told.step && !node.isEnd ? windowOf(told.step) : "");
    if (!node.isClosed) note.write(told.isCut ? texts.lesson.cutOff({ player: node.isX ? "X" : "O" }) : "");
  }

  /** Follows the camera; the names of the levels stay in sight. */
  moved({ scale, left, top }) {
    const height = DOWN * scale;
    this.#world.setAttribute("transform", `translate(${left} ${top}) scale(${scale})`);
    for (const [level, group] of [...this.#levels.children].entries()) {
      const begin = top + (level - 0.5) * height;
      const [ground, name] = group.children;
      group.setAttribute("transform", `translate(0 ${begin})`);
      ground.setAttribute("height", height);
      name.setAttribute("y", Math.max(NAME, Math.min(height / 2, NAME - begin)));
      name.setAttribute("visibility", height < SMALLEST ? "hidden" : "visible");
    }
  }
}

/** The value of a node whose search has ended may be a bound on what it is worth. */
function shownValue({ state, step, first }) {
  return state === "done" ? valueIn({ ...step, ...(first && { alpha: first.alpha, beta: first.beta }) }) : `${valueIn({ ...step, kind: "end" })} …`;
}

function band(isX) {
  const name = drawn("text", { x: 8 });
  name.textContent = isX ? "X: max" : "O: min";
  return drawn("g", { class: isX ? "max" : "min" }, drawn("rect", { width: "100%" }), name);
}

function edgeTo({ parent, left, top }) {
  if (!parent) return drawn("g", {});
  const [from, to] = [[parent.left, parent.top + HALF + 3], [left, top - HALF - 3]];
  const half = (from[1] + to[1]) / 2;
  const [x, y] = [left, to[1] - 16];
  return drawn("g", {},
    drawn("path", { class: "limb", d: `M${from}C${from[0]} ${half} ${to[0]} ${half} ${to}` }),
    drawn("path", { class: "cross", d: `M${x - 7} ${y - 7}l14 14m0 -14l-14 14` }));
}
