// The catalogue: every game with a small board, in groups, and the form of own rules.

import { element, miniature } from "../board/drawing.js";
import { ownRules } from "./own.js";
import { texts } from "../words/texts.js";
import { bestPlayOf, titleOf } from "../words/translation.js";

const KINDS = ["row", "discs", "space", "joined", "other"];

const root = document.getElementById("catalogue");

/** Shows the games to choose from; `choose` is told one. */
export function open(known, current, choose) {
  const close = (game) => {
    root.close();
    if (game) choose(game);
  };
  const groups = KINDS.map((kind) => {
    const own = known.listed.filter((game) => game.kind === kind);
    return own.length > 0 && group(texts.kinds[kind], own, current, close);
  });
  const header = element("header", {}, element("h2", { id: "catalogue-title", textContent: texts.catalogue }), closer(() => close(null)));
  const form = known.families.length > 0 && ownRules(known, current, close);
  root.replaceChildren(header, element("div", { className: "groups" }, ...[...groups, form].filter(Boolean)));
  if (!root.open) root.showModal();
}

/** Whether it is shown. */
export function isOpen() {
  return root.open;
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
