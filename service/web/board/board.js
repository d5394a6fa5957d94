// The board: cells to look at, to point at and to walk over.

import { element, kindOf, linesOfPoints, markPicture, penGrid, svg } from "./drawing.js";
import { spoken } from "./overlay.js";
import { texts } from "../words/texts.js";
import { nameOf } from "../words/translation.js";

/** Where keys lead: layers, rows and columns onwards. */
const STEPS = {
  ArrowUp: [0, -1, 0],
  ArrowDown: [0, 1, 0],
  ArrowLeft: [0, 0, -1],
  ArrowRight: [0, 0, 1],
  PageUp: [-1, 0, 0],
  PageDown: [1, 0, 0],
};

const [ARROW_GAP, ARROW_HEAD] = [0.2, 0.1]; // of the distance between two points: what an arrow leaves free, and its head
const SPARSE = 9; // points with room for large pieces
const ECHO = 0.55; // how much of a cell is seen again beyond a joined edge

/** The board in `root`. `onTap` is told the cell that somebody chose. */
export class Board {
  #root;
  #onTap;
  #game = null;
  #language = null; // in which the board was built
  #view = null;
  #aimed = null; // the cell that is pointed at or has the focus
  #held = null; // the cell on which a pointer went down
  #nodes = [];
  #drawn = [];
  #sheets = [];
  #echoes = [];
  #arrows = null; // the ways of pieces
  #scores = []; // what each column is worth, above it
  #headings = []; // the names of the columns below them
  #space = null; // the drawing over all layers

  constructor(root, onTap) {
    this.#root = root;
    this.#onTap = onTap;
    root.addEventListener("click", ({ target }) => this.#tap(this.#cellOf(target)));
    root.addEventListener("keydown", (event) => this.#press(event));
    root.addEventListener("focusin", ({ target }) => this.#visit(target));
    root.addEventListener("focusout", () => this.#point(null));
    root.addEventListener("pointerover", ({ target }) => this.#point(this.#cellOf(target)));
    root.addEventListener("pointerleave", () => this.#point(null));
    root.addEventListener("pointerdown", ({ target }) => (this.#held = this.#cellOf(target)));
    root.addEventListener("pointerup", (event) => this.#drop(event));
    new ResizeObserver(() => this.#view && this.#drawSpace()).observe(root);
  }

  /**
   * Shows a position: the `state`, what a tap on a cell would mean (`aim`), whether it `isOpen` to be played on,
   * `hints` by cell, whether `values` are wanted among them, the piece that a move goes `from`, the cell of the move
   * that waits (`queued`), the `better` cell where a review knows one and the point from which it goes (`betterFrom`), and the `arrows` of hints.
   */
  show(game, view) {
    if (game !== this.#game || texts.language !== this.#language) this.#build(game);
    this.#view = view;
    this.#nodes.forEach((node, cell) => {
      node.classList.remove("pointed", "reason");
      this.#draw(cell);
    });
    const { line, path } = view.state;
    this.#drawLines(line && !(game.layers > 1) ? this.#stroke(line, path) : [], "won-line");
    this.#drawSpace();
    this.#drawArrows();
    this.#drawScores();
    this.#drawEchoes();
    this.#aim();
  }

  /** Points at a cell and the lines that matter there; at nothing if the cell is null. */
  point(cell, lines = []) {
    this.#nodes.forEach((node, other) => node.classList.toggle("pointed", other === cell));
    if (this.#view.state.line) return;
    const named = new Set(lines.flat());
    this.#drawLines(lines.flatMap((line) => this.#neighbours(line)), "reason-line");
    this.#nodes.forEach((node, other) => node.classList.toggle("reason", named.has(other)));
  }

  /** Turns a board of layers a little, or lays it flat. */
  turn(degrees) {
    this.#root.classList.toggle("tilted", degrees !== null && this.#game?.layers > 1);
    this.#root.style.setProperty("--turn", `${degrees ?? 0}deg`);
    if (this.#view) this.#followTurn();
  }

  /** Draws the line that has won again and again, as long as the layers turn. */
  #followTurn() {
    this.#drawSpace();
    if (this.#root.getAnimations({ subtree: true }).some(({ transitionProperty }) => transitionProperty === "transform")) requestAnimationFrame(() => this.#followTurn());
  }

  /** Moves the focus to the board. */
  focus() {
    this.#nodes.find((node) => node.tabIndex === 0).focus();
  }

  #build(game) {
    this.#game = game;
    this.#language = texts.language;
    this.#aimed = null;
    this.#drawn = [];
    this.#sheets = [];
    this.#echoes = [];
    this.#scores = [];
    this.#headings = [];
    this.#nodes = Array.from({ length: game.cells }, (_, cell) =>
      element("div", { className: "cell", role: "gridcell", tabIndex: cell === 0 ? 0 : -1 }),
    );
    const isTilted = this.#root.classList.contains("tilted") || this.#root.dataset.layers === undefined;
    this.#root.className = [
      "board",
      `layers-${game.layers}`,
      game.hasDiscs ? "gravity" : "flat",
      game.hasColumns && "columns",
      game.surface === "points" && "points",
      game.wrap && "wrapped",
      game.wrap && game.wrap !== true && "sides",
      game.layers > 1 && isTilted && "tilted",
    ].filter(Boolean).join(" ");
    if (game.layers > 1) this.#root.dataset.layers = game.layers;
    const [width, height] = game.span;
    for (const [name, value] of Object.entries({ columns: width, rows: height, boards: game.boards })) this.#root.style.setProperty(`--${name}`, value);
    this.#space = svg("svg", { class: "space", "aria-hidden": "true" });
    this.#root.replaceChildren(...Array.from({ length: game.layers }, (_, layer) => this.#layer(layer)), this.#space);
  }

  #layer(layer) {
    const game = this.#game;
    const { rows, columns, layers } = game;
    const label = layers > 1 ? texts.layerOf({ layer: layer + 1, layers }) : texts.grid({ game: nameOf(game), rows, columns });
    const grid = element("div", { className: "grid", role: "grid", ariaLabel: label });
    for (let row = 0; row < rows; row += 1) {
      const first = game.cellAt(layer, row, 0);
      grid.append(element("div", { className: `row ${row && row % (rows / game.boards) === 0 ? "next-board" : ""}`, role: "row" }, ...this.#nodes.slice(first, first + columns)));
    }
    const [sheet, arrows] = [0, 1].map(() => svg("svg", { class: "lines", viewBox: `0 0 ${game.span.join(" ")}`, "aria-hidden": "true" }));
    this.#sheets.push(sheet);
    this.#arrows = arrows;
    const spans = (names) => names.map((text) => element("span", { textContent: text }));
    const headings = spans(Array.from({ length: columns }, (_, column) => game.columnName(column)));
    const scores = Array.from({ length: game.movesAreColumns ? columns : 0 }, () => element("li", { className: "score" }));
    this.#headings.push(...headings);
    this.#scores.push(...scores);
    if (game.surface === "points") this.#place();
    return element(
      "div",
      { className: "layer" },
      layers > 1 && element("p", { className: "layer-name", textContent: texts.layer({ layer: layer + 1 }), ariaHidden: "true" }),
      scores.length > 0 && element("ol", { className: "scores", ariaLabel: texts.columnValues }, ...scores),
      !scores.length && element("div", { className: "row-names", ariaHidden: "true" }, ...spans(Array.from({ length: rows }, (_, row) => row + 1))),
      element("div", { className: "squares" }, this.#paper(layer), this.#echo(), grid, game.hasDiscs && element("div", { className: "front" }), this.#arrows, sheet),
      element("div", { className: "column-names", ariaHidden: "true" }, ...headings),
    );
  }

  /** The drawn lines below the marks. */
  #paper(layer) {
    const game = this.#game;
    const { rows, columns, boards } = game;
    if (game.hasDiscs) return null;
    const paper = svg("svg", { class: "paper", viewBox: `0 0 ${game.span.join(" ")}`, "aria-hidden": "true" });
    if (game.surface === "points") paper.append(svg("path", { class: "grid-lines", d: linesOfPoints(game) }), ...this.#pointNames());
    else for (let board = 0; board < boards; board += 1) paper.append(svg("g", { transform: `translate(0 ${(board * rows) / boards})` }, penGrid(rows / boards, columns, layer + board)));
    return paper;
  }

  #pointNames() {
    return this.#nodes.map((_, point) => {
      const [x, y] = this.#game.centre(point);
      return svg("text", { class: "point-name", x: x + 0.06, y: y + (this.#nodes.length > SPARSE ? 0.29 : 0.36) }, this.#game.cellName(point));
    });
  }

  /** Puts the points where the lines of the board meet. */
  #place() {
    this.#nodes.forEach((node, point) => {
      const [x, y] = this.#game.corner(point);
      node.style.setProperty("--x", x / 2);
      node.style.setProperty("--y", y / 2);
    });
  }

  /** What is seen again beyond the edges of a wrapped board. */
  #echo() {
    const { wrap, rows, columns, layers } = this.#game;
    if (!wrap || layers > 1) return null;
    const up = wrap === true ? ECHO : 0;
    const echo = svg("svg", { class: "echo", viewBox: `${-ECHO} ${-up} ${columns + 2 * ECHO} ${rows + 2 * up}`, "aria-hidden": "true" });
    this.#echoes.push(echo);
    return echo;
  }

  #drawEchoes() {
    const game = this.#game;
    const { cells } = this.#view.state;
    for (const echo of this.#echoes) {
      const shown = [];
      for (let row = -1; row <= game.rows; row += 1) {
        for (let column = -1; column <= game.columns; column += 1) {
          const cell = game.cellAt(0, row, column) === null ? game.joined(0, row, column) : null;
          if (cell === null || !cells[cell]) continue;
          const mark = markPicture(cells[cell], this.#kind, "", cell);
          for (const [name, value] of Object.entries({ x: column, y: row, width: 1, height: 1 })) mark.setAttribute(name, value);
          shown.push(mark);
        }
      }
      echo.replaceChildren(...shown);
    }
  }

  get #kind() {
    return kindOf(this.#game);
  }

  #draw(cell) {
    const { state, hints, isOpen, aim, from, queued = null, better } = this.#view;
    const mark = state.cells[cell];
    const hint = hints.get(cell) ?? {};
    const node = this.#nodes[cell];
    const isFading = state.fading?.includes(cell);
    const isQueued = queued === cell;
    const isMovable = isOpen && aim(cell)?.from !== undefined;
    node.ariaLabel = [
      this.#game.spokenName(cell),
      mark ?? texts.empty,
      ...spoken(hint),
      isFading && texts.vanishes,
      from === cell && texts.chosen,
      isQueued && texts.waits,
      better === cell && texts.better,
    ].filter(Boolean).join(", ");
    node.ariaDisabled = String(!isOpen || !aim(cell));
    const isWon = Boolean(state.line?.includes(cell));
    const look = JSON.stringify([mark, hint, cell === state.newest, isWon, isFading, from === cell, isQueued, isMovable, better === cell, state.dead?.includes(cell)]);
    if (look === this.#drawn[cell]) return;
    const isNew = mark && cell === state.newest && !this.#drawn[cell]?.startsWith(`["${mark}"`);
    this.#drawn[cell] = look;
    node.className = `cell ${hint.kind ?? ""}`;
    const classes = { best: hint.best, newest: cell === state.newest, won: isWon, fading: isFading, chosen: from === cell, queued: isQueued, movable: isMovable, better: better === cell, dead: state.dead?.includes(cell), filled: mark };
    for (const [name, isSo] of Object.entries(classes)) node.classList.toggle(name, Boolean(isSo));
    node.replaceChildren(...this.#contents(cell, mark, hint, isNew ? "fresh" : ""));
    node.style.setProperty("--fall", this.#game.rowOf(cell) + 1);
  }

  #contents(cell, mark, { code, same, order, mark: ghost, threats = [] }, freshness) {
    const label = (className, text) => element("span", { className, textContent: text, ariaHidden: "true" });
    return [
      mark && markPicture(mark, this.#kind, freshness, cell),
      ghost && markPicture(ghost, this.#kind, "ghost", cell),
      code && !this.#scores.length && label(`value ${code.length > 2 ? "long" : ""} ${same ? "same" : ""}`, code),
      order && label(`order order-${ghost}`, order),
      ...threats.map((player) => label(`threat threat-${player}`, `${player}!`)),
    ].filter(Boolean);
  }

  /** Shows above each column what the move there is worth; dots while that is looked for. */
  #drawScores() {
    const { hints, values, isOpen, aim } = this.#view;
    this.#scores.forEach((node, column) => {
      const cell = aim(column)?.cell ?? null;
      const { code, kind, best, words } = (cell !== null && hints.get(cell)) || {};
      const isAwaited = values && isOpen && cell !== null && !code;
      node.className = `score ${code ? kind : ""} ${best ? "best" : ""} ${isAwaited ? "awaited" : ""}`;
      node.parentElement.ariaHidden = values ? null : "true";
      const said = code ? `${words}${best ? `, ${texts.best}` : ""}` : cell === null ? texts.full : texts.unknown;
      node.replaceChildren(
        element("b", { textContent: code ?? (isAwaited ? "…" : ""), ariaHidden: "true" }),
        ...(values ? [element("span", { className: "unseen", textContent: texts.columnWorth({ column: this.#game.columnName(column), worth: said }) })] : []),
      );
    });
  }

  /** Sets off the column that looks best so far, while values are looked for; none if there is no such column. */
  lead(column = null) {
    this.#scores.forEach((node, other) => node.classList.toggle("leading", other === column));
  }

  /** The strokes of a line, as pairs of points: along its path, or else from neighbour to neighbour. */
  #stroke(line, path) {
    if (!path) return this.#neighbours(line, true);
    const game = this.#game;
    const at = (index, more = 0) => path.start.map((place, axis) => place + (index + more) * path.step[axis]);
    return Array.from({ length: path.length - 1 }, (_, index) => index).flatMap((index) => {
      const [here, there] = [index, index + 1].map((place) => game.joined(...at(place)));
      const step = (cell, sign) => [game.columnOf(cell) + 0.5 + sign * path.step[2], game.rowOf(cell) + 0.5 + sign * path.step[1]];
      const centre = (cell) => step(cell, 0);
      const isNear = String(step(here, 1)) === String(centre(there));
      return isNear ? [[centre(here), centre(there)]] : [[centre(here), step(here, 0.5)], [step(there, -0.5), centre(there)]];
    });
  }

  /** Pairs of points from each cell of a line to the next, where that is its neighbour; or all of them. */
  #neighbours(line, all = false) {
    const game = this.#game;
    const centre = (cell) => game.centre(cell);
    const pairs = line.slice(1).map((cell, index) => [line[index], cell]);
    return pairs.filter(([from, to]) => all || isNextTo(game, from, to)).map(([from, to]) => Object.assign([centre(from), centre(to)], { layer: game.layerOf(from) }));
  }

  /** Draws the ways of pieces, from point to point. */
  #drawArrows() {
    const { arrows = [], better, betterFrom = null } = this.#view;
    const all = [...arrows.map(({ mark, ...way }) => ({ ...way, look: `order-${mark}` })), ...(betterFrom === null ? [] : [{ from: betterFrom, cell: better, look: "arrow-better" }])];
    this.#arrows.replaceChildren(...all.map(({ from, cell, look }) => svg("path", { class: `arrow ${look}`, d: arrow(this.#game.centre(from), this.#game.centre(cell)) })));
  }

  #drawLines(pairs, className) {
    this.#sheets.forEach((sheet, layer) => {
      const path = pairs.filter((pair) => (pair.layer ?? 0) === layer).map(([from, to]) => `M${from.join(" ")}L${to.join(" ")}`).join("");
      sheet.replaceChildren(...(path ? [svg("path", { class: className, d: path, pathLength: 1 })] : []));
    });
  }

  /** Draws the line that has won through all layers, wherever they stand on the screen. */
  #drawSpace() {
    const { line } = this.#view.state;
    const path = line && this.#game.layers > 1 ? this.#through(line) : null;
    const drawn = this.#space.firstElementChild;
    if (path && drawn) drawn.setAttribute("d", path); // its animation goes on
    else this.#space.replaceChildren(...(path ? [svg("path", { class: "won-line", d: path, pathLength: 1 })] : []));
  }

  #through(line) {
    const { left, top } = this.#root.getBoundingClientRect();
    const points = line.map((cell) => {
      const box = this.#nodes[cell].getBoundingClientRect();
      return `${Math.round(box.left + box.width / 2 - left)} ${Math.round(box.top + box.height / 2 - top)}`;
    });
    return `M${points.join("L")}`;
  }

  #point(cell) {
    this.#aimed = cell;
    this.#aim();
  }

  /** Shows where a mark would come to rest that was played where somebody points, and the column where a move is one. */
  #aim() {
    const cell = this.#aimed;
    for (const node of this.#root.querySelectorAll(".aim")) node.remove();
    const meant = cell === null || !this.#view?.isOpen ? null : this.#view.aim(cell);
    const landing = meant?.cell ?? null;
    if (landing !== null && this.#view.mark && !this.#view.state.cells[landing]) {
      this.#nodes[landing].prepend(markPicture(this.#view.mark, this.#kind, "aim", landing));
    }
    const lane = landing === null || !this.#game.hasColumns ? null : this.#game.columnOf(landing);
    for (const nodes of [this.#nodes, this.#scores, this.#headings]) {
      nodes.forEach((node, index) => node.classList.toggle("lane", lane !== null && this.#game.columnOf(index) === lane));
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

  #tap(cell) {
    if (cell !== null) this.#onTap(cell);
  }

  /** A piece that was dragged is one tap where it stood, and one where it was let go. */
  #drop({ clientX, clientY }) {
    const [start, end] = [this.#held, this.#cellOf(document.elementFromPoint(clientX, clientY) ?? this.#root)];
    this.#held = null;
    if (start === null || end === null || start === end || this.#view.aim(start)?.from === undefined) return;
    if (this.#view.from !== start) this.#tap(start);
    this.#tap(end);
  }

  #press(event) {
    const cell = this.#cellOf(event.target);
    if (cell === null || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Enter" || event.key === " ") event.repeat || this.#tap(cell);
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

/** The path of an arrow between two points, from beside the one to beside the other. */
function arrow([x, y], [toX, toY]) {
  const length = Math.hypot(toX - x, toY - y);
  const [right, down] = [(toX - x) / length, (toY - y) / length];
  const at = (along, aside) => `${(x + along * right - aside * down).toFixed(3)} ${(y + along * down + aside * right).toFixed(3)}`;
  const tip = length - ARROW_GAP;
  return `M${at(ARROW_GAP, 0)}L${at(tip, 0)}M${at(tip - ARROW_HEAD, ARROW_HEAD)}L${at(tip, 0)}L${at(tip - ARROW_HEAD, -ARROW_HEAD)}`;
}

function isNextTo(game, from, to) {
  const apart = [game.rowOf(from) - game.rowOf(to), game.columnOf(from) - game.columnOf(to)].map(Math.abs);
  return Math.max(...apart) === 1;
}
