// The panel of the analysis: the verdict on the position, the best line, every move with its value and reasons.

import { element } from "./drawing.js";
import { code, count, headline, inWords } from "./words.js";

/**
 * The panel in `root`. `onPlay` is told a cell that was chosen, `onPoint` a move that is looked at or null,
 * `onStop` and `onLonger` that a search is to end, or to be given more time.
 */
export class AnalysisPanel {
  #root;
  #handlers;
  #progress = null;

  constructor(root, handlers) {
    this.#root = root;
    this.#handlers = handlers;
  }

  /** Says why there is nothing to show. */
  say(text) {
    this.#show(element("p", { className: "quiet", textContent: text }));
  }

  /** Tells how far a search has come; without a report, that it has begun. */
  searching(report) {
    if (!this.#progress) this.#show(this.#searching());
    if (!report) return;
    const { settled, moves, depth, nodes } = report;
    Object.assign(this.#progress.bar, { max: moves, value: settled });
    this.#progress.text.textContent =
      `Depth ${depth}, ${count(nodes, "node", "nodes")}; ${settled} of ${count(moves, "move", "moves")} settled; ${inWords(report)}.`;
  }

  /** Says that a search was ended before it had an answer. */
  stopped() {
    this.#show(element("p", { className: "quiet", textContent: "The search was stopped." }), this.#longer());
  }

  /** Shows what was found; whether nothing is left to prove, and whether more time is not to be had. */
  result(game, analysis, isComplete, isLast) {
    const { pv, reason, moves } = analysis;
    this.#show(
      element("p", { className: "headline" }, badge(analysis), " ", headline(analysis)),
      element("p", { textContent: reason }),
      element("p", { className: "line" }, element("b", { textContent: "Best line " }), game.lineName(pv)),
      !isComplete && this.#unproven(isLast),
      this.#moves(game, moves),
    );
  }

  #searching() {
    const bar = element("progress", { ariaLabel: "Moves settled" });
    const text = element("p", { className: "quiet", textContent: "Searching" });
    this.#progress = { bar, text };
    return element("div", { className: "searching" }, bar, text, button("Stop", () => this.#handlers.onStop()));
  }

  #show(...children) {
    if (!children[0].classList.contains("searching")) this.#progress = null;
    this.#root.replaceChildren(...children.filter(Boolean));
  }

  #unproven(isLast) {
    const text = "The search ended before every value was proven. A bound such as ≥D is proven; a number from −1 (loss) to +1 (win) is an estimate.";
    return element("div", { className: "unproven" }, element("p", { textContent: text }), !isLast && this.#longer());
  }

  #longer() {
    return button("Search longer", () => this.#handlers.onLonger());
  }

  #moves(game, moves) {
    const list = element("ol", { className: "options" });
    for (const move of moves) {
      const { onPlay, onPoint } = this.#handlers;
      const option = button("", () => onPlay(move.move), "option");
      option.append(
        badge(move),
        element("span", { className: "name", textContent: game.cellName(move.move) }),
        element("span", { className: "unseen", textContent: `, ${inWords(move)}${move.best ? ", best" : ""}: ` }),
        element("span", { className: "why", textContent: move.reasons.map(({ detail }) => detail).join(" ") }),
      );
      option.classList.toggle("best", move.best);
      for (const event of ["pointerenter", "focus"]) option.addEventListener(event, () => onPoint(move));
      for (const event of ["pointerleave", "blur"]) option.addEventListener(event, () => onPoint(null));
      list.append(element("li", {}, option));
    }
    return list;
  }
}

/** A value as a coloured code. */
export function badge(value) {
  return element("b", { className: `code ${value.outcome}`, textContent: code(value) });
}

function button(text, onClick, className = "") {
  const node = element("button", { type: "button", textContent: text, className });
  node.addEventListener("click", onClick);
  return node;
}
