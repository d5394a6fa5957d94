// The review: what a coach would say of each move.

import { button, element } from "../board/drawing.js";
import { texts } from "../words/texts.js";
import { reasonOf } from "../words/reasons.js";
import { decimal } from "../words/values.js";
import { named } from "../words/words.js";

/** The verdict on a move in a state; on the best move where no other one is as good, "only" or "onlyBest". */
export function verdictOn(game, state, { verdict, best_moves: best, outcome_before: before }) {
  if (verdict !== "best" || best.length > 1 || game.legal(state).length === 1) return verdict;
  return before === "draw" ? "only" : "onlyBest"; // a win may be slower and a loss sooner
}

/**
 * The review of the moves of a match: of the present move in `root`, of the whole game in `summary`. `onGo` gets a ply that was
 * chosen, `onTry` the ply of a move to be made otherwise, `onLearn` the mistakes whose better moves are to be found.
 */
export class Review {
  #root;
  #summary;
  #onGo;
  #onTry;
  #onLearn;
  #reviewed = null; // the game, its states and its moves
  #report = null;

  constructor(root, summary, onGo, onTry, onLearn) {
    this.#root = root;
    this.#summary = summary;
    this.#onGo = onGo;
    this.#onTry = onTry;
    this.#onLearn = onLearn;
  }

  /** What the review has found, or null. */
  get report() {
    return this.#report;
  }

  /** The game whose moves were reviewed; undefined if none were. */
  get game() {
    return this.#report ? this.#reviewed.game : undefined;
  }

  /** The moves that were reviewed. */
  get moves() {
    return this.#reviewed.moves;
  }

  /** What was judged of the last of these moves, if they begin the game that was reviewed. */
  judged(moves) {
    const isOfGame = this.#report && moves.every((move, index) => move === this.#reviewed.moves[index]);
    return isOfGame ? this.#report.plies[moves.length - 1] : undefined;
  }

  /** The values by ply of the line of a match, by numbers of plies, as far as it is the game that was reviewed. */
  values({ moves }) {
    const values = new Map();
    moves.forEach((_, index) => {
      const judged = this.judged(moves.slice(0, index + 1));
      if (!judged) return;
      const told = (when) => ({ outcome: judged[`outcome_${when}`], score: judged[`score_${when}`], estimate: judged[`estimate_${when}`], plies: null, turn: this.#reviewed.states[index].turn });
      if (!index) values.set(0, told("before"));
      values.set(index + 1, told("after"));
    });
    return values;
  }

  /** The better move as answers list it, where the last of these moves was not the best; in the state before it. */
  better(moves) {
    const judged = this.judged(moves);
    return judged && judged.verdict !== "best" ? judged.best_moves[0] : null;
  }

  /** Says that it is being made. */
  wait() {
    this.#report = null;
    this.#root.replaceChildren(element("progress", { ariaLabel: texts.reviewing }), element("p", { className: "quiet", textContent: texts.reviewWait }));
  }

  /** Forgets what it has found. */
  clear() {
    this.#report = null;
    this.#root.replaceChildren();
    this.#summary.replaceChildren();
  }

  /** Takes a report of a match. */
  take({ game, states, moves }, report) {
    this.#reviewed = { game, states, moves };
    this.#report = report;
  }

  /** Announces the judgement of the last of these moves. */
  show(moves) {
    if (!this.#report) return;
    const judged = this.judged(moves);
    const isBest = !judged || this.better(moves) === null;
    this.#root.replaceChildren(
      element("p", { id: "review-now", className: judged?.verdict ?? "" }, judged ? this.#told(judged) : moves.length ? texts.notReviewed : texts.beforeFirst),
      isBest ? "" : button(texts.tryHere, () => this.#onTry(judged.ply), "try"),
    );
    this.#summary.replaceChildren(this.#accuracies(), this.#mistakes());
  }

  #told(judged) {
    const { game, states, moves } = this.#reviewed;
    const state = states[judged.ply - 1];
    const { ply, verdict, gave_away: gave, best_moves: best, reason, outcome_after: outcome, estimate_after: estimate, worth } = judged;
    const told = texts.judged({
      ply,
      player: named(game, judged.player),
      move: game.moveInWords(state, moves[ply - 1]),
      verdict: texts.judgements[verdictOn(game, state, judged)],
      given: gave ? gave.split(" -> ").map((each) => texts.outcomes[each]).join(" → ") : "",
    });
    const better = verdict === "best" || !best.length ? [] : [texts.bestWas({ names: choices(game, state, best) })];
    return [told, reasonOf(game, { reason, ...(worth ?? { outcome, estimate }) }), ...better].join(" ");
  }

  #accuracies() {
    const { accuracy, plies, proven } = this.#report;
    const told = Object.entries(accuracy).map(([player, percent]) => {
      const own = plies.filter((judged) => judged.player === player);
      const mistakes = own.filter(({ verdict }) => verdict === "mistake").length;
      const best = own.filter(({ verdict }) => verdict === "best").length;
      return element("li", {}, element("b", { textContent: `${named(this.#reviewed.game, player)} ${percentage(percent)}` }), ` ${sentence(own.length, best, mistakes)}`);
    });
    return element("ul", { className: "accuracy" }, ...told, !proven && element("li", { className: "quiet", textContent: texts.notAllJudged }));
  }

  #mistakes() {
    const { plies, turning_point: turningPoint, proven } = this.#report;
    const mistakes = plies.filter(({ verdict }) => verdict === "mistake");
    if (!mistakes.length) return element("p", { textContent: proven ? texts.noMistake : texts.noMistakeFound });
    const { game, states, moves } = this.#reviewed;
    const nameOf = ({ ply, player }) => `${ply}. ${named(game, player)} ${game.moveInWords(states[ply - 1], moves[ply - 1])}`;
    const items = mistakes.map((judged) => {
      const go = button(nameOf(judged), () => this.#onGo(moves, judged.ply), "mistake");
      return element("li", {}, go, judged.ply === turningPoint && element("b", { className: "turning", textContent: texts.turningPoint }));
    });
    const learn = () => this.#onLearn(mistakes.map((judged) => ({ ...judged, name: nameOf(judged), best: game.movesIn(judged.best_moves) })));
    return element("div", {}, element("ul", { className: "mistakes" }, ...items), button(texts.learnMistakes, learn));
  }
}

/** An accuracy in per cent; a dash where no move was judged. */
export function percentage(percent) {
  return percent === null ? "–" : `${decimal(percent)} %`;
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
