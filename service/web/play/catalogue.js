// The catalogue: a page of all games with their rules and what best play gives, and the form of own rules.

import { element, miniature, sample } from "../board/drawing.js";
import { ownRules } from "./own.js";
import { texts } from "../words/texts.js";
import { bestPlayOf } from "../words/reasons.js";
import { aboutOf, titleOf } from "../words/translation.js";

const KINDS = ["row", "discs", "space", "joined", "other"];

const root = document.getElementById("catalogue");

/** Shows the games to choose from; `choose` gets the chosen one. */
export function open(known, current, choose) {
  const close = (game) => {
    root.close();
    if (game) choose(game);
  };
  const groups = KINDS.map((kind) => {
    const own = known.listed.filter((game) => game.kind === kind);
    return own.length > 0 && group(texts.kinds[kind], own, current, close);
  }).filter(Boolean);
  const none = element("p", { className: "quiet", role: "status" });
  const search = element("input", { type: "search", id: "search", ariaLabel: texts.searchGames, placeholder: texts.searchGames, autocomplete: "off" });
  search.addEventListener("input", () => (none.textContent = find(groups, search.value) ? "" : texts.noneFound));
  const header = element("header", {}, element("h2", { id: "catalogue-title", textContent: texts.catalogue }), search, closer(() => close(null)));
  const form = known.families.length > 0 && ownRules(known, current, close);
  root.replaceChildren(header, none, element("div", { className: "groups" }, ...groups, form));
  if (!root.open) root.showModal();
}

/** Leaves the tiles whose texts have all words, and the groups that have any; returns whether there are some. */
function find(groups, words) {
  const wanted = words.toLowerCase().split(/\s+/);
  const shown = groups.map((group) => {
    const tiles = [...group.querySelectorAll("li")];
    for (const tile of tiles) tile.hidden = !wanted.every((word) => tile.textContent.toLowerCase().includes(word));
    group.hidden = tiles.every((tile) => tile.hidden);
    return !group.hidden;
  });
  return shown.some(Boolean);
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
  const node = element(
    "button",
    { type: "button", className: "tile" },
    miniature(game, sample(game), null),
    element("span", { className: "tile-name" }, titleOf(game)),
    element("span", { className: "tile-rules" }, aboutOf(game)),
    element("span", { className: "tile-value" }, bestPlayOf(game)),
  );
  node.dataset.game = game.id;
  if (isCurrent) node.ariaCurrent = "true";
  node.addEventListener("click", () => close(game));
  return node;
}
