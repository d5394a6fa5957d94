// The strip of a first visit: a few games of the catalogue, and the way to all.

import { element, miniature, sample } from "../board/drawing.js";
import { FIRST_GAMES } from "../game/games.js";
import { texts } from "../words/texts.js";
import { titleOf } from "../words/translation.js";

const root = document.getElementById("strip");

/** Shows those of the games that are known. */
export function show(known) {
  const games = FIRST_GAMES.map(({ id }) => known.named(id)).filter(Boolean);
  root.replaceChildren(
    ...games.map((game) => tile(game.id, miniature(game, sample(game), null), element("span", {}, titleOf(game)))),
    tile("", element("b", { textContent: "⋯", ariaHidden: "true" }), element("span", { textContent: texts.allGames })),
  );
}

/** Calls `choose` with the chosen game; with none for all of them. */
export function listen(choose) {
  root.addEventListener("click", ({ target }) => {
    const chosen = target.closest("button");
    if (chosen) choose(chosen.dataset.game);
  });
}

function tile(id, ...children) {
  const node = element("button", { type: "button" }, ...children);
  node.dataset.game = id;
  return element("li", {}, node);
}
