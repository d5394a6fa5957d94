// Elements and shapes.

const SVG = "http://www.w3.org/2000/svg";

/** An HTML element with these properties and children; children that are null or false are left out. */
export function element(tag, properties, ...children) {
  const node = Object.assign(document.createElement(tag), properties);
  node.append(...children.filter((child) => child !== null && child !== false && child !== undefined));
  return node;
}

/** An SVG element with these attributes and children. */
export function svg(tag, attributes, ...children) {
  const node = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  node.append(...children);
  return node;
}

/** The picture of a mark, as a disc where marks fall. `classes` are added to it. */
export function markPicture(mark, isDisc, classes = "") {
  const shape = mark === "X" ? svg("path", { d: "M30 30L70 70M70 30L30 70" }) : svg("circle", { cx: 50, cy: 50, r: 23 });
  const disc = isDisc ? [svg("circle", { class: "disc", cx: 50, cy: 50, r: 44 })] : [];
  return svg("svg", { class: `mark mark-${mark} ${classes}`, viewBox: "0 0 100 100", "aria-hidden": "true" }, ...disc, shape);
}

/** A board the size of a stamp, its newest mark set off. */
export function miniature(game, marks, newest) {
  const across = game.layers > 1 ? 2 : 1;
  const width = game.columns + 1;
  const height = game.rows + 1;
  const down = Math.ceil(game.layers / across);
  const cells = marks.map((mark, cell) => {
    const layer = game.layerOf(cell);
    const x = (layer % across) * width + game.columnOf(cell);
    const y = Math.floor(layer / across) * height + game.rowOf(cell);
    const classes = `${mark ? `mini-${mark}` : "mini-empty"} ${cell === newest ? "mini-newest" : ""}`;
    return svg("g", { class: classes, transform: `translate(${x} ${y})` }, svg("rect", { width: 1, height: 1 }), ...miniatureMark(mark));
  });
  const viewBox = `-0.1 -0.1 ${across * width - 0.8} ${down * height - 0.8}`;
  return svg("svg", { class: "miniature", viewBox, "aria-hidden": "true" }, ...cells);
}

function miniatureMark(mark) {
  if (mark === "X") return [svg("path", { d: "M.26 .26L.74 .74M.74 .26L.26 .74" })];
  return mark === "O" ? [svg("circle", { cx: 0.5, cy: 0.5, r: 0.26 })] : [];
}
