// The list of moves, and the review: what a coach would say of each.

import { button, element } from "../board/drawing.js";
import { texts } from "../words/texts.js";
import { reasonOf } from "../words/translation.js";
import { decimal, named, spokenPlayer } from "../words/words.js";

const GLYPHS = { best: "✓", slower: "~", mistake: "?!", unknown: "…" };

/** The verdict on a move in a state; on the best move where no other one is as good, "only" or "onlyBest". */
function verdictOn(game, state, { verdict, best_moves: best, outcome_before: before }) {
  if (verdict !== "best" || best.length > 1 || game.legal(state).length === 1) return verdict;
  return before === "draw" ? "only" : "onlyBest"; // a win may be slower and a loss sooner
}

/** The list of moves in `root`; `onGo` is told a ply that was chosen. */
export class Sheet {
  #root;
  #onGo;
  #shown = []; // the game, states, ply and report that stand there, and the language

  constructor(root, onGo) {
    this.#root = root;
    this.#onGo = onGo;
  }

  /** Shows the moves of a match, the one on the board as the present one, with the verdicts of a report if there is one. */
  show(match, report) {
    const shown = [match.game, match.states, match.ply, report, texts.language];
    if (shown.every((part, index) => part === this.#shown[index])) return;
    this.#shown = shown;
    const scrollTop = this.#root.childElementCount && this.#root.scrollTop;
    const held = this.#root.contains(document.activeElement) ? [...this.#root.querySelectorAll("button")].indexOf(document.activeElement) : -1;
    this.#root.replaceChildren(...match.moves.map((move, index) => this.#item(match, move, index, report?.plies[index])));
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

  #item({ game, states, ply }, move, index, judged) {
    const state = states[index];
    const player = game.playerOf(state);
    const verdict = judged && texts.verdicts[verdictOn(game, state, judged)];
    const label = `${index + 1}, ${spokenPlayer(player)} ${game.moveInWords(state, move)}${judged ? `, ${verdict}` : ""}`;
    const go = element(
      "button",
      { type: "button", ariaLabel: label, className: judged?.verdict ?? "" },
      element("span", { className: "number", textContent: index + 1 }),
      element("span", { className: `player-${"XO"[state.turn]}`, textContent: game.marksArePlayers ? player : "●" }),
      element("span", { className: "name", textContent: game.moveName(state, move) }),
      judged && element("span", { className: "glyph", textContent: `${GLYPHS[judged.verdict]} ${verdict}` }),
    );
    if (index + 1 === ply) go.ariaCurrent = "step";
    go.addEventListener("click", () => this.#onGo(index + 1));
    return element("li", {}, go);
  }
}

/** The review in `root`; `onGo` is told a ply that was chosen, `onTry` the ply of a move to be made otherwise. */
export class Review {
  #root;
  #onGo;
  #onTry;
  #match;
  #report = null;

  constructor(root, onGo, onTry) {
    this.#root = root;
    this.#onGo = onGo;
    this.#onTry = onTry;
  }

  /** What the review shows, or null. */
  get report() {
    return this.#report;
  }

  /** The values by ply, those after so many plies, as the report knows them. */
  get values() {
    const values = new Map();
    if (!this.#report) return values;
    for (const judged of this.#report.plies) {
      const { states } = this.#match;
      const told = (when) => ({ outcome: judged[`outcome_${when}`], score: judged[`score_${when}`], estimate: judged[`estimate_${when}`], plies: null, turn: states[judged.ply - 1].turn });
      if (judged.ply === 1) values.set(0, told("before"));
      values.set(judged.ply, told("after"));
    }
    return values;
  }

  /** The cells of a better move, where the move on the board was not the best; in the state before it. */
  better(ply) {
    const judged = this.#report?.plies[ply - 1];
    return judged && judged.verdict !== "best" ? judged.best_moves[0] : null;
  }

  /** Says that it is being made. */
  wait() {
    this.#report = null;
    this.#root.replaceChildren(element("progress", { ariaLabel: texts.reviewing }), element("p", { className: "quiet", textContent: texts.reviewWait }));
  }

  /** Shows nothing. */
  clear() {
    this.#report = null;
    this.#root.replaceChildren(element("p", { className: "quiet", textContent: texts.reviewHint }));
  }

  /** Shows a report of a match. */
  show(match, report) {
    this.#match = match;
    this.#report = report;
    const spare = report.plies.map(({ ply }) => element("div", { className: "now spare", ariaHidden: "true" }, ...this.#judgement(ply)));
    const now = element("div", { id: "review-now", className: "now" });
    this.#root.replaceChildren(element("div", { className: "nows" }, ...spare, now), this.#accuracies(), this.#mistakes());
    this.at(match.ply);
  }

  /** Tells what was judged of the move to this ply. */
  at(ply) {
    if (!this.#report) return;
    this.#root.querySelector("#review-now").replaceChildren(...this.#judgement(ply));
  }

  /** What is told of the move to this ply. Those of all plies keep the room for the longest, so that nothing below moves. */
  #judgement(ply) {
    const judged = this.#report.plies[ply - 1];
    return [
      element("p", { textContent: judged ? this.#told(judged) : texts.beforeFirst }),
      judged && this.better(ply) !== null ? button(texts.tryHere, () => this.#onTry(ply), "try") : "",
    ];
  }

  #told(judged) {
    const { game, states, moves } = this.#match;
    const state = states[judged.ply - 1];
    const { ply, verdict, gave_away: gave, best_moves: best, reason, outcome_after: outcome, estimate_after: estimate, worth } = judged;
    const told = texts.judged({
      ply,
      player: named(judged.player),
      move: game.moveInWords(state, moves[ply - 1]),
      verdict: texts.judgements[verdictOn(game, state, judged)],
      given: gave ? gave.split(" -> ").map((each) => texts.outcomes[each]).join(" → ") : "",
    });
    const better = verdict === "best" || !best.length ? [] : [texts.bestWas({ names: choices(game, state, best) })];
    return [told, reasonOf({ reason, ...(worth ?? { outcome, estimate }) }), ...better].join(" ");
  }

  #accuracies() {
    const { accuracy, plies, proven } = this.#report;
    const told = Object.entries(accuracy).map(([player, percent]) => {
      const own = plies.filter((judged) => judged.player === player);
      const mistakes = own.filter(({ verdict }) => verdict === "mistake").length;
      const best = own.filter(({ verdict }) => verdict === "best").length;
      const number = percent === null ? "–" : `${decimal(percent)} %`;
      return element("li", {}, element("b", { textContent: `${named(player)} ${number}` }), ` ${sentence(own.length, best, mistakes)}`);
    });
    return element("ul", { className: "accuracy" }, ...told, !proven && element("li", { className: "quiet", textContent: texts.notAllJudged }));
  }

  #mistakes() {
    const { plies, turning_point: turningPoint, proven } = this.#report;
    const mistakes = plies.filter(({ verdict }) => verdict === "mistake");
    if (!mistakes.length) return element("p", { textContent: proven ? texts.noMistake : texts.noMistakeFound });
    const items = mistakes.map((judged) => {
      const { game, states, moves } = this.#match;
      const name = `${judged.ply}. ${named(judged.player)} ${game.moveInWords(states[judged.ply - 1], moves[judged.ply - 1])}`;
      const go = button(name, () => this.#onGo(judged.ply), "mistake");
      return element("li", {}, go, judged.ply === turningPoint && element("b", { className: "turning", textContent: texts.turningPoint }));
    });
    return element("ul", { className: "mistakes" }, ...items);
  }
}

function sentence(moves, best, mistakes) {
  if (!moves) return texts.noMove;
  const found = best === moves ? texts.onlyBest : texts.bestOf({ best, total: moves });
  return `${found}${mistakes ? `, ${texts.mistakes({ number: mistakes })}` : ""}.`;
}

/** The names of moves to choose from, columns from the left. */
function choices(game, state, moves) {
  const taken = game.movesIn(moves);
  const ordered = game.movesAreColumns ? [...taken].sort((one, other) => one - other) : taken;
  return ordered.slice(0, 4).map((move) => game.moveInWords(state, move)).join(` ${texts.or} `);
}
