// The board: cells to look at, to point at and to walk over.

import { boardLines, element, markPicture, svg } from "./drawing.js";
import { numbers } from "../game/geometry.js";
import { texts } from "../words/texts.js";
import { nameOf } from "../words/translation.js";
import { markName, spokenPlayer } from "../words/words.js";
import { Zoom } from "./zoom.js";

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
const SIGNS = { win: "+", draw: "=", loss: "−" }; // of values, beside their colours
const FLIPS = ["mirrored", "flipped"]; // classes of boards by axis
const ECHO = 0.55; // how much of a cell is seen again beyond a joined edge

/** The board in `root`. `onTap` gets each chosen cell. */
export class Board {
  #root;
  #zoom;
  #onTap;
  #game = null;
  #language = null; // in which the board was built
  #view = null;
  #aimed = null; // the cell that is pointed at or has the focus
  #held = null; // the cell on which a pointer went down
  #nodes = [];
  #drawn = [];
  #layers = [];
  #sheets = []; // the drawings over the marks of each layer
  #echoes = [];
  #arrows = []; // the ways of pieces on each layer
  #scores = []; // what each column is worth, above it
  #headings = []; // the names of the columns below them
  #space = null; // the drawing over all layers
  #tip = element("p", { className: "tip", hidden: true, ariaHidden: "true" }); // in words, what is worth that is pointed at

  constructor(root, onTap) {
    this.#root = root;
    this.#zoom = new Zoom(root);
    this.#onTap = onTap;
    root.addEventListener("click", ({ target }) => this.#click(this.#cellOf(target)));
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
   * `hints` by cell and `values` by place, null if none are wanted, the piece that a move goes `from`, the cell of the move
   * that waits (`queued`), the `better` cell where a review knows one and the point from which it goes (`betterFrom`), and the `arrows` of hints.
   */
  show(game, view) {
    if (game !== this.#game || texts.language !== this.#language) this.#build(game);
    if (view.state !== this.#view?.state) this.#zoom.leave();
    this.#view = view;
    this.#nodes.forEach((node, cell) => {
      node.classList.remove("pointed", "reason");
      this.#draw(cell);
    });
    const { line, path } = view.state;
    this.#drawLines(line && !game.surface.isDeep ? this.#stroke(line, path) : [], "won-line");
    this.#layers.forEach((layer, index) => this.#drawLayer(layer, index));
    this.#drawSpace();
    this.#drawArrows();
    this.#drawScores();
    this.#drawEchoes();
    this.#aim();
  }

  /** Sets a board off that is over, or can be played on, and writes a large mark on one that is won. */
  #drawLayer(layer, index) {
    const { dead, lit, owners } = this.#view.state;
    layer.classList.toggle("dead", Boolean(dead?.includes(index)));
    layer.classList.toggle("lit", Boolean(lit?.includes(index)));
    const owner = owners?.[index] ?? "";
    if ((layer.dataset.owner ?? "") === owner) return;
    layer.dataset.owner = owner;
    layer.querySelector(".owner")?.remove();
    if (owner) layer.querySelector(".squares").append(markPicture(owner, this.#game.surface.marks, "owner", index));
  }

  /** Points at a cell and the lines that matter there; at nothing if the cell is null. */
  point(cell, lines = []) {
    this.#nodes.forEach((node, other) => node.classList.toggle("pointed", other === cell));
    if (this.#view.state.line) return;
    const named = new Set(lines.flat());
    this.#drawLines(lines.flatMap((line) => this.#neighbours(line, this.#game.numbered)), "reason-line");
    this.#nodes.forEach((node, other) => node.classList.toggle("reason", named.has(other)));
  }

  /** Turns a board of layers a little, or lays it flat. */
  turn(degrees) {
    this.#root.classList.toggle("tilted", degrees !== null && Boolean(this.#game?.surface.isDeep));
    this.#root.style.setProperty("--turn", `${degrees ?? 0}deg`);
    if (this.#view) this.#followTurn();
  }

  /** Shows the board mirrored from left to right (axis 0) or flipped from top to bottom (1), or as it was before. */
  flip(axis) {
    this.#root.classList.toggle(FLIPS[axis]);
    this.#aim();
    this.#drawSpace();
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
    const { size: [width, height], width: side, sheets, isDeep, marks, lines, across } = game.surface;
    this.#game = game;
    this.#language = texts.language;
    this.#aimed = null;
    for (const list of [this.#drawn, this.#sheets, this.#echoes, this.#arrows, this.#scores, this.#headings]) list.length = 0;
    this.#nodes = numbers(game.cells).map((cell) => element("div", { className: "cell", role: "gridcell", tabIndex: cell === 0 ? 0 : -1 }));
    const isTilted = this.#root.classList.contains("tilted") || this.#root.dataset.layers === undefined;
    const looks = {
      [`layers-${sheets}`]: isDeep,
      gravity: marks === "disc",
      flat: marks !== "disc",
      columns: game.hasColumns,
      points: lines,
      numbered: game.numbered,
      wrapped: game.wrap,
      sides: game.wrap && game.wrap !== true,
      tilted: isDeep && isTilted,
      nested: across,
    };
    this.#root.className = ["board", ...Object.keys(looks).filter((name) => looks[name])].join(" ");
    if (isDeep) this.#root.dataset.layers = sheets;
    const [wide, narrow] = isDeep ? [2, 2] : across ? [across, across] : [Math.min(sheets, sheets > 4 ? 4 : 3), Math.min(sheets, 2)];
    const sizes = { columns: width, rows: height, side, wide, narrow, "down-wide": Math.ceil(sheets / wide), "down-narrow": Math.ceil(sheets / narrow) };
    for (const [name, value] of Object.entries(sizes)) this.#root.style.setProperty(`--${name}`, value);
    this.#space = svg("svg", { class: "space", "aria-hidden": "true" });
    this.#layers = numbers(sheets).map((layer) => this.#layer(layer));
    this.#root.replaceChildren(...this.#layers, this.#space, this.#tip);
  }

  #layer(layer) {
    const game = this.#game;
    const { rows, columns, hasColumns, numbered } = game;
    const { size, sheets, isDeep, marks } = game.surface;
    const [name, named] = isDeep ? [texts.layer, texts.layerOf] : [texts.board, texts.boardOf];
    const label = sheets > 1 ? named({ layer: layer + 1, layers: sheets }) : texts.grid({ game: nameOf(game), rows, columns });
    const grid = element("div", { className: "grid", role: "grid", ariaLabel: label });
    for (const row of numbers(rows)) {
      const first = game.cellAt(layer, row, 0);
      grid.append(element("div", { className: "row", role: "row" }, ...this.#nodes.slice(first, first + columns)));
    }
    numbers(game.cellsOfLayer).forEach((index) => this.#place(layer * game.cellsOfLayer + index));
    const [sheet, arrows] = [this.#sheets, this.#arrows].map((list) => {
      list.push(svg("svg", { class: "lines", viewBox: `0 0 ${size.join(" ")}`, "aria-hidden": "true" }));
      return list.at(-1);
    });
    const spans = (names) => names.map((text) => element("span", { textContent: text }));
    const headings = spans(numbers(numbered ? 0 : columns).map((column) => game.columnName(column)));
    const scores = numbers(hasColumns ? columns : 0).map(() => element("li", { className: "score" }));
    this.#headings.push(...headings);
    this.#scores.push(...scores);
    return element(
      "div",
      { className: "layer" },
      sheets > 1 && element("p", { className: "layer-name", textContent: name({ layer: layer + 1 }), ariaHidden: "true" }),
      hasColumns && element("ol", { className: "scores", ariaLabel: texts.columnValues }, ...scores),
      !hasColumns && element("div", { className: "row-names", ariaHidden: "true" }, ...spans(numbers(numbered ? 0 : rows).map((row) => row + 1))),
      element("div", { className: "squares" }, this.#paper(layer), this.#echo(), grid, marks === "disc" && element("div", { className: "front" }), arrows, sheet),
      element("div", { className: "column-names", ariaHidden: "true" }, ...headings),
    );
  }

  /** Puts a cell where it is on its sheet. */
  #place(cell) {
    this.#game.corner(cell).forEach((place, axis) => this.#nodes[cell].style.setProperty(["--x", "--y"][axis], place));
  }

  /** The drawn lines below the marks. */
  #paper(layer) {
    const { surface: { marks, size }, cells, numbered } = this.#game;
    if (marks === "disc") return null;
    const names = numbers(numbered ? cells : 0).map((cell) => {
      const [x, y] = this.#game.centre(cell);
      return svg("text", { class: "point-name", x: x + 0.17, y: y + 0.33 }, this.#game.cellName(cell));
    });
    return svg("svg", { class: "paper", viewBox: `0 0 ${size.join(" ")}`, "aria-hidden": "true" }, boardLines(this.#game, layer), ...names);
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
          const mark = markPicture(cells[cell], game.surface.marks, "", cell);
          for (const [name, value] of Object.entries({ x: column, y: row, width: 1, height: 1 })) mark.setAttribute(name, value);
          shown.push(mark);
        }
      }
      echo.replaceChildren(...shown);
    }
  }

  #draw(cell) {
    const { state, hints, values, isOpen, aim, from, queued = null, better } = this.#view;
    const mark = state.cells[cell];
    const hint = hints.get(cell) ?? {};
    const worth = (!this.#game.hasColumns && values?.get(cell)) || [];
    const node = this.#nodes[cell];
    const is = {
      best: worth.some((value) => value.best),
      newest: cell === state.newest,
      won: state.line?.includes(cell),
      fading: state.fading?.includes(cell),
      takeable: state.takeable?.includes(cell),
      chosen: from === cell,
      queued: queued === cell,
      movable: isOpen && ["number", "object"].includes(typeof aim(cell)?.from), // what a text says is more than a piece
      better: better === cell,
      filled: mark,
    };
    node.ariaLabel = [
      this.#game.spokenName(cell),
      mark ? markName(this.#game, mark) : texts.empty,
      ...spoken(this.#game, worth, hint),
      ...[["fading", texts.vanishes], ["takeable", texts.canBeTaken], ["chosen", texts.chosen], ["queued", texts.waits], ["better", texts.better]].map(([name, text]) => is[name] && text),
      state.dead?.includes(this.#game.layerOf(cell)) && texts.crossedOut,
    ].filter(Boolean).join(", ");
    node.ariaDisabled = String(!isOpen || !aim(cell));
    const look = JSON.stringify([mark, hint, worth, is]);
    if (look === this.#drawn[cell]) return;
    const isNew = mark && is.newest && !this.#drawn[cell]?.startsWith(`["${mark}"`);
    this.#drawn[cell] = look;
    node.className = ["cell", ...Object.keys(is).filter((name) => is[name])].join(" ");
    node.replaceChildren(...tints(worth), ...this.#contents(cell, mark, hint, isNew ? "fresh" : ""));
    node.style.setProperty("--fall", this.#game.rowOf(cell) + 1);
  }

  #contents(cell, mark, { order, mark: ghost, threats = [] }, freshness) {
    const { marks } = this.#game.surface;
    const label = (className, text) => element("span", { className, textContent: text, ariaHidden: "true" });
    return [
      mark && markPicture(mark, marks, freshness, cell),
      ghost && markPicture(ghost, marks, "ghost", cell),
      order && label(`order order-${ghost}`, order),
      ...threats.map((player) => label(`threat threat-${player}`, "!")),
    ].filter(Boolean);
  }

  /** Shows above each column what the moves there are worth; dots while that is looked for. */
  #drawScores() {
    const { values, isOpen, aim } = this.#view;
    this.#scores.forEach((node, column) => {
      const worth = values?.get(column) ?? [];
      const isFree = aim(column) !== null;
      const isAwaited = values?.size === 0 && isOpen && isFree;
      node.className = `score ${isAwaited ? "awaited" : ""}`;
      node.parentElement.ariaHidden = values ? null : "true";
      const said = worth.length ? spoken(this.#game, worth).join(", ") : isFree ? texts.unknown : texts.full;
      node.replaceChildren(
        ...(isAwaited ? [element("b", { textContent: "…", ariaHidden: "true" })] : tints(worth)),
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
    return numbers(path.length - 1).flatMap((index) => {
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
    const ways = all.map(({ from, cell, look }) => svg("path", { class: `arrow ${look}`, d: arrow(this.#game.centre(from), this.#game.centre(cell)) }));
    this.#arrows[0].replaceChildren(...ways); // pieces move on games of one sheet
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
    const path = line && this.#game.surface.isDeep ? this.#through(line) : null;
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

  /** Shows where a mark played at the pointer would come to rest (the column, where a move is one), and its value. */
  #aim() {
    const cell = this.#aimed;
    const game = this.#game;
    for (const node of this.#root.querySelectorAll(".aim")) node.remove();
    const meant = cell === null || !this.#view?.isOpen ? null : this.#view.aim(cell);
    const landing = meant?.cell ?? null;
    if (landing !== null && this.#view.mark && !this.#view.state.cells[landing]) {
      this.#nodes[landing].prepend(markPicture(this.#view.mark, game.surface.marks, "aim", landing));
    }
    const lane = landing === null || !game.hasColumns ? null : game.columnOf(landing);
    for (const nodes of [this.#nodes, this.#scores, this.#headings]) {
      nodes.forEach((node, index) => node.classList.toggle("lane", lane !== null && game.columnOf(index) === lane));
    }
    this.#tell(cell !== null && game?.hasColumns ? game.columnOf(cell) : (landing ?? cell));
  }

  /** Says in words what the moves at a place are worth. */
  #tell(place) {
    const values = (place !== null && this.#view?.values?.get(place)) || [];
    this.#tip.hidden = !values.length;
    if (!values.length) return;
    this.#tip.replaceChildren(...values.map(({ words }) => element("span", { textContent: words })));
    const [frame, box] = [this.#root, this.#scores[place] ?? this.#nodes[place]].map((node) => node.getBoundingClientRect());
    const left = box.left + box.width / 2 - frame.left - this.#tip.offsetWidth / 2;
    this.#tip.style.left = `${Math.max(0, Math.min(left, frame.width - this.#tip.offsetWidth))}px`;
    this.#tip.style.top = `${box.top - frame.top}px`;
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
    if (cell !== null) this.#zoom.visit(this.#game.layerOf(cell));
    this.#point(cell);
  }

  #click(cell) {
    if (cell === null) return;
    const place = { board: this.#game.layerOf(cell), across: this.#game.surface.across, isOpen: this.#nodes[cell].ariaDisabled === "false" };
    if (!this.#zoom.takes(this.#nodes[cell], place)) this.#tap(cell);
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

  /** Moves the focus by a key; returns whether the key moves it. */
  #walk(cell, key) {
    const game = this.#game;
    const [layer, row, column] = [game.layerOf(cell), game.rowOf(cell), game.columnOf(cell)];
    const ends = { Home: game.cellAt(layer, row, 0), End: game.cellAt(layer, row, game.columns - 1) };
    if (!(key in STEPS) && !(key in ends)) return false;
    const [layers, ...step] = STEPS[key] ?? [];
    const next = ends[key] ?? (layers ? game.cellAt(layer + layers, row, column) : (this.#beside(cell, step) ?? this.#across(layer, row, step[1])));
    if (next !== null) this.#nodes[next].focus();
    return true;
  }

  /** The nearest cell of the same sheet in a direction of the screen, rather straight ahead; null if there is none. */
  #beside(cell, [below, beside]) {
    const game = this.#game;
    const [right, down] = [beside, below].map((step, axis) => (this.#root.classList.contains(FLIPS[axis]) ? -step : step));
    const [x, y] = game.corner(cell);
    const first = game.layerOf(cell) * game.cellsOfLayer;
    const others = numbers(game.cellsOfLayer).map((index) => {
      const [toX, toY] = game.corner(index);
      return { other: first + index, along: (toX - x) * right + (toY - y) * down, aside: Math.abs((toX - x) * down) + Math.abs((toY - y) * right) };
    });
    const ahead = others.filter(({ along }) => along > 0);
    return ahead.sort((one, next) => one.along + 2 * one.aside - next.along - 2 * next.aside)[0]?.other ?? null;
  }

  /** The cell beyond the left or right edge of a layer: in the next one. */
  #across(layer, row, columns) {
    if (!columns) return null;
    return this.#game.cellAt(layer + columns, row, columns > 0 ? 0 : this.#game.columns - 1);
  }
}

/** The colours of a place: one for its move, or a small one for each choice that there is. */
function tints(values) {
  const tint = ({ sign, kind, strength, best, same, isEstimate }) => {
    const classes = ["tint", sign && "small", kind, best && "best", same && "same", isEstimate && "estimate"];
    const node = element("b", { className: classes.filter(Boolean).join(" "), textContent: sign ?? (isEstimate ? "≈" : SIGNS[kind]), ariaHidden: "true" });
    node.style.setProperty("--strength", strength.toFixed(2));
    return node;
  };
  return values[0]?.sign ? [element("span", { className: "tints", ariaHidden: "true" }, ...values.map(tint))] : values.map(tint);
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

/** A place's values and hints for those who listen, as the rest of a sentence that names it. */
function spoken(game, values, { order, threats = [] } = {}) {
  return [
    ...values.map(({ words, best }) => `${words}${best ? `, ${texts.best}` : ""}`),
    order && texts.orderInLine({ order }),
    ...threats.map((player) => texts.couldComplete({ player: spokenPlayer(game, player) })),
  ].filter(Boolean);
}
