// The panel of the analysis: the verdict on the position, the best line, the moves in groups of the same value.

import { button, element } from "../board/drawing.js";
import { texts } from "../words/texts.js";
import { reasonsOf, verdictOf } from "../words/translation.js";
import { code, headline, inWords } from "../words/words.js";

const SHOWN = 2; // moves of a group that are told at once
const FIRST_PLIES = 6; // of the best line

/**
 * The panel in `root`. `onPlay` is told a move that was chosen, `onPoint` a move that is looked at or null,
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
    const { settled, moves: total, depth, nodes } = report;
    Object.assign(this.#progress.bar, { max: total, value: settled });
    this.#progress.text.textContent = texts.progress({ depth, nodes, settled, total, value: inWords(report) });
  }

  /** Says that a search was ended before it had an answer. */
  stopped() {
    this.#show(element("p", { className: "quiet", textContent: texts.stopped }), this.#longer());
  }

  /** Shows what was found in a state; whether nothing is left to prove, and whether more time is not to be had. */
  result(game, state, analysis, isComplete, isLast) {
    this.#show(
      element("p", { className: "headline" }, badge(analysis), " ", headline(analysis)),
      element("p", {}, verdictOf(game, state, analysis)),
      line(game, state, analysis),
      !isComplete && this.#unproven(isLast),
      ...grouped(analysis.moves).map((group) => this.#group(game, state, group)),
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

  #unproven(isLast) {
    return element("div", { className: "unproven" }, element("p", { textContent: texts.searchEnded }), !isLast && this.#longer());
  }

  #longer() {
    return button(texts.searchLonger, () => this.#handlers.onLonger());
  }

  #group(game, state, moves) {
    const [first] = moves;
    const title = element("h3", { className: "group-title" }, badge(first), ` ${texts.someMoves({ number: moves.length })} ${verb(first, moves.length)}`);
    const rows = moves.map((move) => element("li", {}, this.#option(game, state, move)));
    const more = rows.slice(SHOWN);
    return element(
      "section",
      { className: "group" },
      title,
      element("ol", { className: "options" }, ...rows.slice(0, more.length === 1 ? SHOWN + 1 : SHOWN)),
      more.length > 1 && element("details", {}, element("summary", { textContent: texts.more({ number: more.length }) }), element("ol", { className: "options" }, ...more)),
    );
  }

  #option(game, state, move) {
    const { onPlay, onPoint } = this.#handlers;
    const option = button("", () => onPlay(game.moveIn(move)), `option ${move.best ? "best" : ""}`);
    option.append(
      element("span", { className: "name", textContent: game.moveName(state, game.moveIn(move)) }),
      element("span", { className: "unseen", textContent: `, ${inWords(move)}${move.best ? `, ${texts.best}` : ""}: ` }),
      element("span", { className: "why" }, ...reasonsOf(game, state, move).flatMap((reason, index) => (index ? [" ", reason] : [reason]))),
    );
    for (const event of ["pointerenter", "focus"]) option.addEventListener(event, () => onPoint(move));
    for (const event of ["pointerleave", "blur"]) option.addEventListener(event, () => onPoint(null));
    return option;
  }
}

/** Moves of the same value together, in the order in which they came. */
function grouped(moves) {
  const groups = new Map();
  for (const move of moves) {
    const key = move.outcome === "unknown" ? "unknown" : `${move.outcome} ${move.exact ? move.plies : ""}`;
    const draws = move.outcome === "draw" ? "draw" : key;
    groups.set(draws, [...(groups.get(draws) ?? []), move]);
  }
  return [...groups.values()];
}

function verb(value, number) {
  return value.outcome === "unknown" ? texts.areUnproven({ number }) : inWords(value, number);
}

/** The first plies of the best line; the others where they are asked for. */
function line(game, state, { pv }) {
  const moves = game.movesIn(pv);
  const states = game.follow(state, moves);
  const names = moves.slice(0, states.length - 1).map((move, index) => game.moveName(states[index], move));
  const separator = game.hasDigits ? "" : " ";
  const [soon, later] = [names.slice(0, FIRST_PLIES), names.slice(FIRST_PLIES)];
  return element(
    "div",
    { className: "line" },
    element("b", { textContent: texts.bestLine }),
    " ",
    soon.join(separator),
    later.length > 0 && element("details", {}, element("summary", { textContent: texts.morePlies({ number: later.length }) }), later.join(separator)),
  );
}

/** A value as a coloured code. */
export function badge(value) {
  return element("b", { className: `code ${value.outcome}`, textContent: code(value) });
}
