// The catalogue: every game with a small board, in groups, and the form of own rules.

import { element, miniature } from "./drawing.js";
import { customGame } from "./own.js";
import { texts } from "./texts.js";
import { bestPlayOf, titleOf } from "./translation.js";

const KINDS = ["row", "discs", "space", "joined", "other"];

const root = document.getElementById("catalogue");

/** Shows the games to choose from; `choose` is told one. */
export function open(games, current, choose) {
  const close = (game) => {
    root.close();
    if (game) choose(game);
  };
  const groups = KINDS.map((kind) => {
    const own = games.filter((game) => game.kind === kind);
    return own.length > 0 && group(texts.kinds[kind], own, current, close);
  });
  const header = element("header", {}, element("h2", { id: "catalogue-title", textContent: texts.catalogue }), closer(() => close(null)));
  root.replaceChildren(header, element("div", { className: "groups" }, ...groups.filter(Boolean), ownRules(close)));
  root.showModal();
}

/** A button that closes a dialog. */
export function closer(onClick) {
  const node = element("button", { type: "button", className: "plain", textContent: texts.close });
  node.addEventListener("click", onClick);
  return node;
}

function group(title, games, current, close) {
  const tiles = games.map((game) => element("li", {}, tile(game, game.id === current.id, close)));
  return element("section", {}, element("h3", { textContent: title }), element("ul", { className: "tiles" }, ...tiles));
}

function tile(game, isCurrent, close) {
  const marks = sample(game);
  const node = element(
    "button",
    { type: "button", className: "tile" },
    miniature(game, marks, null),
    element("span", { className: "tile-name" }, titleOf(game)),
    element("span", { className: "tile-value", textContent: bestPlayOf(game) }),
  );
  node.dataset.game = game.id;
  if (isCurrent) node.ariaCurrent = "true";
  node.addEventListener("click", () => close(game));
  return node;
}

/** A few marks that show what a game looks like. */
function sample(game) {
  let state = game.start();
  for (let ply = 0; ply < 4; ply += 1) {
    const legal = game.legal(state);
    if (!legal.length) break;
    state = game.play(state, legal[(ply * 5 + 3) % legal.length]);
  }
  return state.cells;
}

const FIELDS = { rows: 4, columns: 5, in_a_row: 4, layers: 1 };
const SWITCHES = ["gravity", "wrap", "misere"];

function ownRules(close) {
  const number = ([name, value]) => element("label", {}, `${texts.fields[name]} `, element("input", { type: "number", name, value, min: 1, max: 64, required: true }));
  const toggle = (name) => element("label", {}, element("input", { type: "checkbox", name }), ` ${texts.switches[name]}`);
  const lines = element("input", { type: "text", name: "lines", placeholder: "0-1-2, 0-4-8", autocomplete: "off", spellcheck: false });
  const fault = element("p", { className: "fault", role: "alert" });
  const form = element(
    "form",
    { id: "own-rules", className: "own-rules" },
    element("div", { className: "fields" }, ...Object.entries(FIELDS).map(number)),
    element("div", { className: "fields" }, ...SWITCHES.map(toggle)),
    element("label", { className: "own-lines" }, texts.ownLinesField, " ", lines),
    fault,
    element("button", { type: "submit", className: "main", textContent: texts.playByRules }),
  );
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const game = customGame(asked(form));
    if (game) close(game);
    else fault.textContent = texts.noSuchRules;
  });
  return element("section", {}, element("h3", { textContent: texts.ownRules }), form);
}

function asked(form) {
  const { elements } = form;
  const { rows, columns, in_a_row: length, layers } = Object.fromEntries(Object.keys(FIELDS).map((name) => [name, Number(elements[name].value)]));
  const misere = elements.misere.checked && { misere: true };
  const written = elements.lines.value.split(",").map((line) => line.trim().split(/[\s-]+/).filter(Boolean).map(Number)).filter((line) => line.length);
  if (written.length) return { cells: rows * columns, lines: written, ...misere };
  return { rows, columns, in_a_row: length, ...(layers > 1 && { layers }), ...(elements.gravity.checked && { gravity: true }), ...misere, ...(elements.wrap.checked && { wrap: true }) };
}
