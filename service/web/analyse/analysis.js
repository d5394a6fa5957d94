// The panel of the analysis: the verdict on the position, the best line, and every move with its value and the reason for it.

import { button, element } from "../board/drawing.js";
import { texts } from "../words/texts.js";
import { reasonsOf } from "../words/reasons.js";
import { headline, inWords, outlook } from "../words/values.js";
import { upper } from "../words/words.js";

const FIRST_PLIES = 8; // of the best line

/**
 * The panel in `root`. `onPlay` gets a chosen move, `onLine` the moves of the best line up to the one that was
 * chosen, `onPoint` a move that is looked at or null, `onStop` and `onLonger` that a search is to end, or to be given more time.
 */
export class AnalysisPanel {
  #root;
  #handlers;
  #progress = null;

  constructor(root, handlers) {
    this.#root = root;
    this.#handlers = handlers;
  }

  /** Says why there is nothing to show, and offers what can be done about it. */
  say(text, ...offers) {
    this.#show(element("p", { className: "quiet", textContent: text }), ...offers);
  }

  /** Shows the progress of a search; without a report, that it has begun. */
  searching(report) {
    if (!this.#progress) this.#show(this.#searching());
    if (!report) return;
    const { settled, moves: total, depth, nodes } = report;
    Object.assign(this.#progress.bar, { max: total, value: settled });
    const isWaiting = nodes === 0;
    this.#progress.text.textContent = isWaiting ? texts.awaitingTable : texts.progress({ depth, nodes, settled, total, value: inWords(report) });
  }

  /** Says that a search was ended before it had an answer. */
  stopped() {
    this.say(texts.stopped, this.#longer());
  }

  /** Shows what was found in a state; whether nothing is left to prove, and whether more time is not to be had. */
  result(game, state, analysis, isComplete, isLast) {
    const isProven = analysis.outcome !== "unknown";
    const seal = element("span", { className: `seal ${isProven ? "" : "estimate"}`, textContent: isProven ? texts.proven : texts.estimate });
    this.#root.parentElement.scrollTop = 0;
    this.#show(
      element("p", { className: `headline ${analysis.outcome}` }, element("b", { textContent: headline(game, analysis) }), seal, !isComplete && !isLast && this.#longer()),
      element("ol", { className: "options" }, ...analysis.moves.map((move) => element("li", {}, this.#option(game, state, move)))),
      this.#line(game, state, analysis),
      !isComplete && element("p", { className: "unproven", textContent: texts.searchEnded }),
    );
  }

  #searching() {
    const bar = element("progress", { ariaLabel: texts.movesSettled });
    const text = element("p", { className: "quiet", textContent: texts.searching });
    this.#progress = { bar, text };
    return element("div", { className: "searching" }, bar, text, button(texts.stop, () => this.#handlers.onStop()));
  }

  #show(...children) {
    if (!children[0].classList.contains("searching")) this.#progress = null;
    this.#root.replaceChildren(...children.filter(Boolean));
  }

  #longer() {
    return button(texts.searchLonger, () => this.#handlers.onLonger());
  }

  #option(game, state, move) {
    const { onPlay, onPoint } = this.#handlers;
    const option = button("", () => onPlay(game.moveIn(move)), `option ${move.best ? "best" : ""}`);
    option.append(
      element("span", { className: "name", textContent: game.moveName(state, game.moveIn(move)) }),
      element("span", { className: `worth ${move.outcome}`, textContent: upper(outlook(game, state, move)) }),
      element("span", { className: "unseen", textContent: `${move.best ? `, ${texts.best}` : ""}: ` }),
      element("span", { className: "why" }, ...reasonsOf(game, state, move).flatMap((reason, index) => (index ? [" ", reason] : [reason]))),
    );
    for (const event of ["pointerenter", "focus"]) option.addEventListener(event, () => onPoint(move));
    for (const event of ["pointerleave", "blur"]) option.addEventListener(event, () => onPoint(null));
    return option;
  }

  /** The best line, each of its moves a button that plays the line as far as that; the later ones where they are asked for. */
  #line(game, state, { pv }) {
    const moves = game.movesIn(pv);
    const states = game.follow(state, moves);
    const steps = moves.slice(0, states.length - 1).map((move, index) => button(game.moveName(states[index], move), () => this.#handlers.onLine(moves.slice(0, index + 1)), `step player-${"XO"[states[index].turn]}`));
    const later = steps.slice(FIRST_PLIES);
    return element(
      "div",
      { className: "line" },
      element("b", { textContent: texts.bestLine }),
      ...steps.slice(0, FIRST_PLIES),
      later.length > 0 && element("details", {}, element("summary", { textContent: texts.morePlies({ number: later.length }) }), ...later),
    );
  }
}
