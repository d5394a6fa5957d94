// Elements and shapes.

const SVG = "http://www.w3.org/2000/svg";

/** An HTML element with these properties and children; children that are null or false are left out. */
export function element(tag, properties, ...children) {
  const node = Object.assign(document.createElement(tag), properties);
  node.append(...children.filter((child) => child !== null && child !== false && child !== undefined));
  return node;
}

/** A button that does something. */
export function button(text, onClick, className = "") {
  const node = element("button", { type: "button", textContent: text, className });
  node.addEventListener("click", onClick);
  return node;
}

/** An SVG element with these attributes and children. */
export function svg(tag, attributes, ...children) {
  const node = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  node.append(...children);
  return node;
}

/** The strokes of a pen, on a square of 100. */
const STROKES = {
  X: ["M28 27C40 41 58 58 73 74", "M73 26C60 40 43 57 27 73"],
  O: ["M54 22C34 19 21 33 21 51C21 69 35 79 51 79C68 79 80 66 79 49C78 33 66 22 47 23"],
};

/** The picture of a mark at a cell, of the kind that a surface has: strokes of a pen, a disc or a piece. `classes` are added to it. */
export function markPicture(mark, kind, classes = "", cell = 0) {
  const turned = `rotate(${((cell * 7) % 5) * 4 - 8} 50 50)`; // no two strokes of a pen are alike
  const shapes = kind === "pen" ? svg("g", { transform: turned }, ...penned(mark)) : svg("g", {}, ...round(mark, kind));
  return svg("svg", { class: `mark mark-${mark} ${kind} ${classes}`, viewBox: "0 0 100 100", "aria-hidden": "true" }, shapes);
}

function penned(mark) {
  if (mark in STROKES) return STROKES[mark].map((d, index) => svg("path", { class: `stroke stroke-${index}`, d, pathLength: 1 }));
  return [svg("text", { class: `digit digit-${mark % 2 ? "odd" : "even"}`, x: 50, y: 72, "text-anchor": "middle" }, String(mark))];
}

/** A disc fills its hole; a piece stands on a point. Each player's has a relief of its own. */
function round(mark, kind) {
  const radius = kind === "disc" ? 46 : 30;
  const relief = mark === "X" ? svg("path", { class: "relief", d: cross(radius * 0.3) }) : svg("circle", { class: "relief", cx: 50, cy: 50, r: radius * 0.36 });
  return [svg("circle", { class: "body", cx: 50, cy: 50, r: radius }), svg("circle", { class: "rim", cx: 50, cy: 50, r: radius * 0.76 }), relief];
}

function cross(size) {
  const [low, high] = [50 - size, 50 + size];
  return `M${low} ${low}L${high} ${high}M${high} ${low}L${low} ${high}`;
}

/** The lines of a drawn grid: not quite straight, like those of a pen. */
export function penGrid(rows, columns, layer = 0) {
  const bend = (index) => (((index + layer) * 13) % 7) / 100 - 0.03;
  const inner = (count) => Array.from({ length: count - 1 }, (_, index) => index + 1);
  const down = inner(columns).map((x) => `M${x + bend(x) / 2} .05Q${x - bend(x)} ${rows / 2} ${x + bend(x + 2) / 2} ${rows - 0.05}`);
  const across = inner(rows).map((y) => `M.05 ${y + bend(y + 3) / 2}Q${columns / 2} ${y - bend(y + 1)} ${columns - 0.05} ${y + bend(y) / 2}`);
  return svg("path", { class: "grid-lines", d: [...down, ...across].join("") });
}

/** The lines of a board: those of its points, else a grid. */
export function boardLines(game, sheet = 0) {
  const { lines, size: [columns, rows] } = game.surface;
  const at = (point) => game.centre(point).join(" ");
  return lines ? svg("path", { class: "grid-lines", d: lines.map((line) => `M${at(line[0])}L${at(line.at(-1))}`).join("") }) : penGrid(rows, columns, sheet);
}

/** What a game looks like in its midst: the marks of one that is played by a fixed whim, and goes on. */
export function sample(game) {
  let state = game.start();
  for (let ply = 1; ply <= game.typicalPlies; ply += 1) {
    const legal = game.legal(state);
    const next = legal.length ? game.play(state, legal[Math.floor(legal.length * Math.abs(Math.sin(ply * ply)))]) : state;
    if (next.status !== "in_progress") break;
    state = next;
  }
  return state.cells;
}

/** The small board of a miniature: its game's shape with these marks, the newest set off. */
export function miniature(game, marks, newest) {
  const { size, sheets, isDeep, marks: kind } = game.surface;
  const across = isDeep ? 2 : Math.min(sheets, 3);
  const [width, height] = size.map((side) => side + 0.6);
  const down = Math.ceil(sheets / across);
  const layers = Array.from({ length: sheets }, (_, layer) => {
    const place = `translate(${(layer % across) * width} ${Math.floor(layer / across) * height})`;
    const cells = marks.slice(layer * game.cellsOfLayer, (layer + 1) * game.cellsOfLayer);
    return svg("g", { transform: place }, ground(game), ...cells.flatMap((mark, cell) => small(game, mark, cell, layer * game.cellsOfLayer + cell === newest)));
  });
  const viewBox = `-0.1 -0.1 ${across * width - 0.4} ${down * height - 0.4}`;
  return svg("svg", { class: `miniature mini-${kind}`, viewBox, "aria-hidden": "true" }, ...layers);
}

function ground(game) {
  const { size: [width, height], marks } = game.surface;
  return marks === "disc" ? svg("rect", { class: "mini-front", width, height, rx: 0.3 }) : boardLines(game);
}

function small(game, mark, cell, isNewest) {
  const [x, y] = game.corner(cell);
  const group = (shape) => [svg("g", { class: `mini-${mark ?? "empty"} ${isNewest ? "mini-newest" : ""}`, transform: `translate(${x} ${y})` }, shape)];
  const dot = (radius) => svg("circle", { cx: 0.5, cy: 0.5, r: radius });
  const { marks } = game.surface;
  if (marks === "disc") return group(dot(0.4));
  if (!mark) return [];
  if (marks === "piece") return group(dot(0.3));
  if (mark === "X") return group(svg("path", { d: "M.26 .26L.74 .74M.74 .26L.26 .74" }));
  return group(mark === "O" ? dot(0.26) : svg("text", { x: 0.5, y: 0.75, "text-anchor": "middle" }, String(mark)));
}
