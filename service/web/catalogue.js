// The catalogue: every game with a small board, in groups, and the form of own rules.

import { element, miniature } from "./drawing.js";
import { customGame } from "./own.js";
import { count, named } from "./words.js";

const GROUPS = [
  ["In a row", (game) => game.isLine && !game.hasDiscs && !game.wrap && game.layers === 1],
  ["Falling discs", (game) => game.hasDiscs],
  ["In space", (game) => game.layers > 1],
  ["Joined edges", (game) => Boolean(game.wrap)],
  ["Other rules", () => true],
];

const root = document.getElementById("catalogue");

/** Shows the games to choose from; `choose` is told one. */
export function open(games, current, choose) {
  const close = (game) => {
    root.close();
    if (game) choose(game);
  };
  const rest = new Set(games);
  const groups = GROUPS.map(([title, isIn]) => {
    const own = [...rest].filter(isIn);
    own.forEach((game) => rest.delete(game));
    return own.length > 0 && group(title, own, current, close);
  });
  const header = element("header", {}, element("h2", { id: "catalogue-title", textContent: "Games" }), closer(() => close(null)));
  root.replaceChildren(header, element("div", { className: "groups" }, ...groups.filter(Boolean), ownRules(close)));
  root.showModal();
}

/** A button that closes a dialog. */
export function closer(onClick) {
  const node = element("button", { type: "button", className: "plain", textContent: "Close" });
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
    element("span", { className: "tile-name", textContent: game.name }),
    element("span", { className: "tile-value", textContent: valueOf(game) }),
  );
  node.dataset.game = game.id;
  if (isCurrent) node.ariaCurrent = "true";
  node.addEventListener("click", () => close(game));
  return node;
}

/** A few marks that show what a game looks like. */
function sample(game) {
  let state = game.rules.start();
  for (let ply = 0; ply < 4; ply += 1) {
    const legal = game.rules.legal(state);
    if (!legal.length) break;
    state = game.rules.play(state, legal[(ply * 5 + 3) % legal.length]);
  }
  return state.cells;
}

/** What best play gives, in a sentence. */
export function valueOf({ best_play: told, value, players }) {
  if (told) return told;
  if (!value) return "Nobody has said what best play gives.";
  if (value.outcome === "draw") return value.plies === null ? "Best play never ends." : "A draw with best play.";
  const winner = named(players[value.outcome === "win" ? 0 : 1]);
  return `${winner} wins${value.plies ? ` in ${count(value.plies, "ply", "plies")}` : ""}.`;
}

const FIELDS = [["rows", "Rows", 4], ["columns", "Columns", 5], ["in_a_row", "In a row", 4], ["layers", "Layers", 1]];
const SWITCHES = [["gravity", "Gravity"], ["wrap", "Joined edges"], ["misere", "Misère: a line loses"]];

function ownRules(close) {
  const number = ([name, label, value]) => element("label", {}, `${label} `, element("input", { type: "number", name, value, min: 1, max: 64, required: true }));
  const toggle = ([name, label]) => element("label", {}, element("input", { type: "checkbox", name }), ` ${label}`);
  const lines = element("input", { type: "text", name: "lines", placeholder: "0-1-2, 0-4-8", autocomplete: "off", spellcheck: false });
  const fault = element("p", { className: "fault", role: "alert" });
  const form = element(
    "form",
    { id: "own-rules", className: "own-rules" },
    element("div", { className: "fields" }, ...FIELDS.map(number)),
    element("div", { className: "fields" }, ...SWITCHES.map(toggle)),
    element("label", { className: "own-lines" }, "Lines of your own, as cells counted from 0 (instead of in a row) ", lines),
    fault,
    element("button", { type: "submit", className: "main", textContent: "Play by these rules" }),
  );
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const game = customGame(asked(form));
    if (game) close(game);
    else fault.textContent = "There is no such game: a board has at most 64 cells, and a line must fit on it.";
  });
  return element("section", {}, element("h3", { textContent: "Your own rules" }), form);
}

function asked(form) {
  const { elements } = form;
  const { rows, columns, in_a_row: length, layers } = Object.fromEntries(FIELDS.map(([name]) => [name, Number(elements[name].value)]));
  const misere = elements.misere.checked && { misere: true };
  const written = elements.lines.value.split(",").map((line) => line.trim().split(/[\s-]+/).filter(Boolean).map(Number)).filter((line) => line.length);
  if (written.length) return { cells: rows * columns, lines: written, ...misere };
  return { rows, columns, in_a_row: length, ...(layers > 1 && { layers }), ...(elements.gravity.checked && { gravity: true }), ...misere, ...(elements.wrap.checked && { wrap: true }) };
}
