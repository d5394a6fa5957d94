// The board: cells to look at, to point at and to walk over.

import { element, markPicture, svg } from "./drawing.js";
import { spoken } from "./overlay.js";

/** Where keys lead: layers, rows and columns onwards. */
const STEPS = {
  ArrowUp: [0, -1, 0],
  ArrowDown: [0, 1, 0],
  ArrowLeft: [0, 0, -1],
  ArrowRight: [0, 0, 1],
  PageUp: [-1, 0, 0],
  PageDown: [1, 0, 0],
};

const SOON = 6; // plies of the best line that are shown in full

/** The board in `root`. `onPlay` is told the cell on which somebody wants to play. */
export class Board {
  #root;
  #onPlay;
  #game = null;
  #view = null;
  #aimed = null; // the cell that is pointed at or has the focus
  #nodes = [];
  #drawn = [];
  #sheets = [];
  #scores = []; // what each column is worth, above it
  #headings = []; // the names of the columns below them

  constructor(root, onPlay) {
    this.#root = root;
    this.#onPlay = onPlay;
    root.addEventListener("click", ({ target }) => this.#play(target));
    root.addEventListener("keydown", (event) => this.#press(event));
    root.addEventListener("focusin", ({ target }) => this.#visit(target));
    root.addEventListener("focusout", () => this.#point(null));
    root.addEventListener("pointerover", ({ target }) => this.#point(this.#cellOf(target)));
    root.addEventListener("pointerleave", () => this.#point(null));
  }

  /**
   * Shows a position: `marks` by cell, the `newest` cell, the `player` to move, whether it `isOpen` to be played on,
   * `hints` by cell, whether `values` are wanted among them, the `won` line if there is one.
   */
  show(game, view) {
    if (game !== this.#game) this.#build(game);
    this.#view = view;
    this.#nodes.forEach((node, cell) => {
      node.classList.remove("pointed", "reason");
      this.#draw(cell);
    });
    this.#drawLines(view.won ? [view.won] : [], "won-line");
    this.#drawScores();
    this.#aim();
  }

  /** Points at a cell and the lines that matter there; at nothing if the cell is null. */
  point(cell, lines = []) {
    this.#nodes.forEach((node, other) => node.classList.toggle("pointed", other === cell));
    if (!this.#view.won) this.#drawLines(lines, "reason-line");
  }

  /** Moves the focus to the board. */
  focus() {
    this.#nodes.find((node) => node.tabIndex === 0).focus();
  }

  #build(game) {
    this.#game = game;
    this.#aimed = null;
    this.#drawn = [];
    this.#sheets = [];
    this.#scores = [];
    this.#headings = [];
    this.#nodes = Array.from({ length: game.cells }, (_, cell) =>
      element("div", { className: "cell", role: "gridcell", tabIndex: cell === 0 ? 0 : -1 }),
    );
    this.#root.className = `board layers-${game.layers} ${game.gravity ? "gravity" : "flat"} ${game.hasColumns ? "columns" : ""}`;
    this.#root.style.setProperty("--rows", game.rows);
    this.#root.style.setProperty("--columns", game.columns);
    this.#root.replaceChildren(...Array.from({ length: game.layers }, (_, layer) => this.#layer(layer)));
  }

  #layer(layer) {
    const { rows, columns, layers, name } = this.#game;
    const label = layers > 1 ? `Layer ${layer + 1} of ${layers}` : `${name}, ${rows} rows, ${columns} columns`;
    const grid = element("div", { className: "grid", role: "grid", ariaLabel: label });
    for (let row = 0; row < rows; row += 1) {
      const first = this.#game.cellAt(layer, row, 0);
      grid.append(element("div", { className: "row", role: "row" }, ...this.#nodes.slice(first, first + columns)));
    }
    const sheet = svg("svg", { class: "lines", viewBox: `0 0 ${columns} ${rows}`, "aria-hidden": "true" });
    this.#sheets.push(sheet);
    const spans = (names) => names.map((text) => element("span", { textContent: text }));
    const headings = spans(Array.from({ length: columns }, (_, column) => this.#game.columnName(column)));
    const scores = Array.from({ length: this.#game.hasColumns ? columns : 0 }, () => element("li", { className: "score" }));
    this.#headings.push(...headings);
    this.#scores.push(...scores);
    return element(
      "div",
      { className: "layer" },
      layers > 1 && element("p", { className: "layer-name", textContent: `Layer ${layer + 1}`, ariaHidden: "true" }),
      scores.length > 0 && element("ol", { className: "scores", ariaLabel: "Value of each column" }, ...scores),
      !scores.length && element("div", { className: "row-names", ariaHidden: "true" }, ...spans(Array.from({ length: rows }, (_, row) => row + 1))),
      element("div", { className: "squares" }, grid, sheet),
      element("div", { className: "column-names", ariaHidden: "true" }, ...headings),
    );
  }

  #draw(cell) {
    const { marks, newest, hints, won, isOpen } = this.#view;
    const mark = marks[cell];
    const hint = hints.get(cell) ?? {};
    const node = this.#nodes[cell];
    node.ariaLabel = [this.#game.spokenName(cell), mark ?? "empty", ...spoken(hint)].join(", ");
    node.ariaDisabled = String(!isOpen || this.#game.landing(marks, cell) === null);
    const look = JSON.stringify([mark, hint, cell === newest, won?.includes(cell)]);
    if (look === this.#drawn[cell]) return;
    const isNew = mark && cell === newest && !this.#drawn[cell]?.startsWith(`["${mark}"`);
    this.#drawn[cell] = look;
    node.className = `cell ${hint.kind ?? ""}`;
    node.classList.toggle("best", Boolean(hint.best));
    node.classList.toggle("newest", cell === newest);
    node.classList.toggle("won", Boolean(won?.includes(cell)));
    node.replaceChildren(...this.#contents(mark, hint, isNew ? "fresh" : ""));
    node.style.setProperty("--fall", this.#game.rowOf(cell) + 1);
  }

  #contents(mark, { code, order, mark: ghost, threats = [] }, freshness) {
    const { gravity } = this.#game;
    const label = (className, text) => element("span", { className, textContent: text, ariaHidden: "true" });
    return [
      mark && markPicture(mark, gravity, freshness),
      ghost && markPicture(ghost, gravity, order > SOON ? "ghost late" : "ghost"),
      code && !this.#game.hasColumns && label(code.length > 2 ? "value long" : "value", code),
      order && label(`order order-${ghost} ${order > SOON ? "late" : ""}`, order),
      ...threats.map((player) => label(`threat threat-${player}`, `${player}!`)),
    ].filter(Boolean);
  }

  /** Shows above each column what the move there is worth; dots while that is looked for. */
  #drawScores() {
    const { marks, hints, values, isOpen } = this.#view;
    this.#scores.forEach((node, column) => {
      const cell = this.#game.landing(marks, column);
      const { code, kind, best, words } = (cell !== null && hints.get(cell)) || {};
      const isAwaited = values && isOpen && cell !== null && !code;
      node.className = `score ${code ? kind : ""} ${best ? "best" : ""} ${isAwaited ? "awaited" : ""}`;
      node.parentElement.hidden = !values;
      const said = code ? `${words}${best ? ", best" : ""}` : cell === null ? "full" : "not known yet";
      node.replaceChildren(
        element("b", { textContent: code ?? (isAwaited ? "…" : ""), ariaHidden: "true" }),
        element("span", { className: "unseen", textContent: `Column ${this.#game.columnName(column)}: ${said}` }),
      );
    });
  }

  /** Sets off the column that looks best so far, while values are looked for; none if there is no such column. */
  lead(column = null) {
    this.#scores.forEach((node, other) => node.classList.toggle("leading", other === column));
  }

  /** Draws lines from each cell to the next, where that is its neighbour in the same layer. */
  #drawLines(lines, className) {
    const game = this.#game;
    this.#sheets.forEach((sheet, layer) => {
      const pairs = lines.flatMap((line) => line.slice(1).map((cell, index) => [line[index], cell]));
      const steps = pairs.filter(([from, to]) => game.layerOf(from) === layer && isNextTo(game, from, to));
      const centre = (cell) => `${game.columnOf(cell) + 0.5} ${game.rowOf(cell) + 0.5}`;
      const path = steps.map(([from, to]) => `M${centre(from)}L${centre(to)}`).join("");
      sheet.replaceChildren(...(path ? [svg("path", { class: className, d: path })] : []));
    });
    if (className === "reason-line") {
      const named = new Set(lines.flat());
      this.#nodes.forEach((node, cell) => node.classList.toggle("reason", named.has(cell)));
    }
  }

  #point(cell) {
    this.#aimed = cell;
    this.#aim();
  }

  /** Shows where a mark would come to rest that was played where somebody points, and the column where a move is one. */
  #aim() {
    const cell = this.#aimed;
    this.#root.querySelector(".aim")?.remove();
    const landing = cell === null || !this.#view?.isOpen ? null : this.#game.landing(this.#view.marks, cell);
    if (landing !== null) this.#nodes[landing].prepend(markPicture(this.#view.player, this.#game.gravity, "aim"));
    const lane = landing === null || !this.#game.hasColumns ? null : this.#game.columnOf(landing);
    for (const nodes of [this.#nodes, this.#scores, this.#headings]) {
      nodes.forEach((node, index) => node.classList.toggle("lane", this.#game.columnOf(index) === lane));
    }
  }

  /** The cell at which a target stands, the top one where it is a whole column; null if it is neither. */
  #cellOf(target) {
    if (this.#scores.length) {
      const column = Math.max(this.#scores.indexOf(target.closest(".score")), this.#headings.indexOf(target));
      if (column >= 0) return column;
    }
    const cell = this.#nodes.indexOf(target.closest(".cell"));
    return cell < 0 ? null : cell;
  }

  #visit(target) {
    const cell = this.#cellOf(target);
    this.#nodes.forEach((node, other) => (node.tabIndex = other === cell ? 0 : -1));
    this.#point(cell);
  }

  #play(target) {
    const cell = this.#cellOf(target);
    if (cell === null || !this.#view.isOpen) return;
    const landing = this.#game.landing(this.#view.marks, cell);
    if (landing !== null) this.#onPlay(landing);
  }

  #press(event) {
    const cell = this.#cellOf(event.target);
    if (cell === null || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Enter" || event.key === " ") this.#play(event.target);
    else if (!this.#walk(cell, event.key)) return;
    event.preventDefault();
  }

  /** Moves the focus where a key leads, and tells whether it is a key that leads anywhere. */
  #walk(cell, key) {
    const game = this.#game;
    const [layer, row, column] = [game.layerOf(cell), game.rowOf(cell), game.columnOf(cell)];
    const ends = { Home: game.cellAt(layer, row, 0), End: game.cellAt(layer, row, game.columns - 1) };
    if (!(key in STEPS) && !(key in ends)) return false;
    const [layers, rows, columns] = STEPS[key] ?? [];
    const next = ends[key] ?? game.cellAt(layer + layers, row + rows, column + columns) ?? this.#across(layer, row, columns);
    if (next !== null) this.#nodes[next].focus();
    return true;
  }

  /** The cell beyond the left or right edge of a layer: in the next one. */
  #across(layer, row, columns) {
    if (!columns) return null;
    return this.#game.cellAt(layer + columns, row, columns > 0 ? 0 : this.#game.columns - 1);
  }
}

function isNextTo(game, from, to) {
  const apart = [game.rowOf(from) - game.rowOf(to), game.columnOf(from) - game.columnOf(to)].map(Math.abs);
  return Math.max(...apart) === 1;
}
