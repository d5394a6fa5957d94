// The list of moves: the game, and where it was left for a variation that variation behind the move that it replaces.

import { button, element } from "../board/drawing.js";
import { onwards } from "../analyse/variations.js";
import { texts } from "../words/texts.js";
import { markName, spokenPlayer } from "../words/words.js";
import { verdictOn } from "./review.js";

const GLYPHS = { best: "✓", slower: "~", mistake: "?!", unknown: "…" };

/** The list in `root`; `onGo` gets a chosen line and its ply, `onDrop` the moves to the first one of a removed variation. */
export class Sheet {
  #root;
  #onGo;
  #onDrop;
  #shown = []; // what the list depends on
  #view = null; // the match, the review and the path of the board

  constructor(root, onGo, onDrop) {
    this.#root = root;
    this.#onGo = onGo;
    this.#onDrop = onDrop;
  }

  /** Shows the moves of a match or the tree of `variations`, the move on the board as the present one, and the verdicts of a review. */
  show(match, review, variations) {
    const shown = [match.game, match.states, match.ply, review?.report, texts.language, variations, variations?.lines.length];
    if (shown.every((part, index) => part === this.#shown[index])) return;
    this.#shown = shown;
    this.#view = { game: match.game, review, path: match.moves.slice(0, match.ply) };
    const scrollTop = this.#root.childElementCount && this.#root.scrollTop;
    const held = this.#root.contains(document.activeElement) ? [...this.#root.querySelectorAll("button")].indexOf(document.activeElement) : -1;
    this.#root.replaceChildren(...this.#items(variations?.root ?? chain(match.moves), [], match.states[0]));
    this.#root.querySelectorAll("button")[held]?.focus({ preventScroll: true });
    requestAnimationFrame(() => this.#reveal(scrollTop)); // where the browser lays out the page anyway
  }

  /** Scrolls the present move into sight, and nothing but the list. */
  #reveal(from) {
    this.#root.scrollTop = from;
    const present = this.#root.querySelector("[aria-current]")?.parentElement;
    if (!present) return;
    const { offsetTop: top, offsetHeight: height } = present;
    const { scrollTop, clientHeight } = this.#root;
    if (top < scrollTop) this.#root.scrollTop = top;
    else if (top + height > scrollTop + clientHeight) this.#root.scrollTop = top + height - clientHeight;
  }

  /** The moves after a node that is reached by the moves of `path`. */
  #items(node, path, state) {
    const items = [];
    for (let [at, before, here] = [node, path, state]; at.next.length; ) {
      const [first, ...others] = at.next;
      items.push(this.#item(first, before, here));
      for (const other of others) {
        const line = [this.#item(other, before, here), ...this.#items(other, [...before, other.move], this.#view.game.play(here, other.move))];
        items.push(element("li", { className: "variation" }, element("ol", {}, ...line), this.#dropper([...before, other.move], here)));
      }
      [at, before, here] = [first, [...before, first.move], this.#view.game.play(here, first.move)];
    }
    return items;
  }

  #dropper(moves, state) {
    const drop = button("×", () => this.#onDrop(moves), "plain drop");
    drop.ariaLabel = texts.dropVariation({ move: this.#view.game.moveInWords(state, moves.at(-1)) });
    return drop;
  }

  #item(node, before, state) {
    const { game, review, path } = this.#view;
    const { move } = node;
    const own = [...before, move];
    const player = game.playerOf(state);
    const judged = review?.judged(own);
    const verdict = judged && texts.verdicts[verdictOn(game, state, judged)];
    const label = `${own.length}, ${spokenPlayer(game, player)} ${game.moveInWords(state, move)}${judged ? `, ${verdict}` : ""}`;
    const go = element(
      "button",
      { type: "button", ariaLabel: label, className: judged?.verdict ?? "" },
      element("span", { className: "number", textContent: own.length }),
      element("span", { className: `player-${"XO"[state.turn]}`, textContent: game.marksArePlayers && !game.hasDiscs ? markName(game, player) : "●" }),
      element("span", { className: "name", textContent: game.moveName(state, move) }),
      judged && element("span", { className: "glyph", textContent: `${GLYPHS[judged.verdict]} ${verdict}` }),
    );
    if (own.length === path.length && own.every((each, index) => each === path[index])) go.ariaCurrent = "step";
    go.addEventListener("click", () => this.#onGo([...own, ...onwards(node)], own.length));
    return element("li", {}, go);
  }
}

/** The tree of a single line. */
function chain([move, ...later]) {
  return { next: move === undefined ? [] : [{ move, ...chain(later) }] };
}
