// What analyses and reviews a match: the verdict with all moves, the values by ply, the list of moves, the review, and the
// card at the end. It comes when it is used first.

import { AnalysisPanel } from "./analysis.js";
import { Analyse } from "./analyse.js";
import { hinted } from "../board/overlay.js";
import { Bar, History } from "./evaluation.js";
import { Ending } from "../review/ending.js";
import { SIDES } from "../game/match.js";
import * as oracle from "../oracle/oracle.js";
import { Retry } from "../review/retry.js";
import { Review } from "../review/review.js";
import { Sheet } from "../review/sheet.js";
import { announce, complain } from "../words/notice.js";
import { verdictOf } from "../words/reasons.js";
import { texts } from "../words/texts.js";
import { headline } from "../words/values.js";
import { named, status } from "../words/words.js";

const LONG_MS = 30000; // an analysis that was asked for
const REVIEW_MS = 10000;

const find = (id) => document.getElementById(id);

/**
 * The study of the matches of a page. `board` is theirs; it asks the page to `draw` again or to `drawBoard` alone, to `play` a move or a `line`, to
 * `attempt` a search or to `stop` it, and, as people press the buttons of reviews, to `begin` again, to `review` the game, to `share` it,
 * to `retry` its next mistake, and to `tryAgain` from before a ply.
 */
export class Study {
  modes = { analyse: new Analyse(), retry: new Retry() };
  #board;
  #page;
  #match = null;
  #mode = null;
  #analysis = null; // of the position on the board, once there is one
  #values = new WeakMap(); // what is known of the value of states
  #found = new Map(); // analyses in which nothing is left to prove, by position
  #peeked = null; // the ply that is pointed at in the history
  #reviewing = new AbortController();
  #bar = new Bar(find("bar"));
  #history = new History(find("history"), (ply) => this.#match.go(ply), (ply) => this.#peek(ply));
  #panel;
  #sheet;
  #review;
  #ending;

  constructor(board, page) {
    const follow = (moves, ply) => this.#match.follow(moves, ply);
    this.#board = board;
    this.#page = page;
    this.#panel = new AnalysisPanel(find("analysis"), {
      onPlay: page.play,
      onLine: page.line,
      onPoint: (move) => board.point(move?.move ?? null, move?.reasons.flatMap(({ lines }) => lines ?? [])),
      onStop: () => {
        page.stop();
        find("analysis").ariaBusy = "false";
        this.#panel.stopped();
      },
      onLonger: () => page.attempt((signal) => this.analyse(signal, LONG_MS)),
    });
    this.#sheet = new Sheet(find("sheet"), follow, (moves) => this.#drop(moves));
    this.#review = new Review(find("review"), find("summary"), follow, page.tryAgain, (mistakes) => {
      this.modes.retry.take(mistakes);
      page.retry();
    });
    this.#ending = new Ending(find("ending"), { rematch: page.begin, review: page.review, share: page.share });
  }

  /** Takes up the position that a match has come to. */
  follow(match) {
    this.#match = match;
    this.#analysis = null;
    this.#peeked = null;
  }

  /** Whether the position on the board was analysed. */
  get hasAnalysis() {
    return this.#analysis !== null;
  }

  /** What the board is to show of hints and of the review, or of the ply that is pointed at. */
  view(aim) {
    const { states, ply } = this.#match;
    const peeked = this.#peeked === null ? undefined : states[this.#peeked];
    if (peeked) return { state: peeked, hints: new Map(), values: null, aim: () => null, isOpen: false, ...this.#better(this.#peeked) };
    return { ...hinted(this.#match, this.#analysis, aim), ...this.#better(ply) };
  }

  /** Shows all but the board of a match in its mode. */
  show(mode) {
    const match = this.#match;
    this.#mode = mode;
    const review = this.#shownReview;
    this.#drawValues();
    this.#sheet.show(match, review, mode.variations);
    review?.show(match.moves.slice(0, match.ply));
    for (const id of ["review", "summary"]) find(id).hidden = !review;
    this.#ending.show(match, mode.status(match), mode.score);
  }

  /** Says in place of an analysis why there is none. */
  say(text) {
    this.#panel.say(text);
  }

  /** Searches the value of every move; passes the results to the board and to listeners. */
  async analyse(signal, timeMs = oracle.BRIEF_MS) {
    const { question, position, game, state } = this.#match;
    const key = JSON.stringify(position);
    if (!this.#found.has(key)) this.#panel.say(texts.searching);
    const analysis = this.#found.get(key) ?? (await oracle.analyse(question, timeMs, signal, (report) => this.#followSearch(report)));
    const isComplete = analysis.moves.every((move) => move.exact);
    this.#analysis = analysis;
    if (isComplete) this.#found.set(key, analysis);
    this.#values.set(state, { ...analysis, turn: state.turn });
    this.#page.draw();
    this.#panel.result(game, state, analysis, isComplete, timeMs === LONG_MS);
    announce(`${headline(game, analysis)}. ${verdictOf(game, state, analysis)}`);
  }

  #followSearch(report) {
    const { hints, player, state } = this.#match;
    this.#panel.searching(report);
    this.#board.lead(report.column);
    if (hints.has("values")) this.#showValue({ ...report, player, turn: state.turn });
  }

  /** Reviews the whole game, unless that is known. */
  async judge() {
    if (this.#shownReview?.judged(this.#match.moves)) return announce(texts.reviewReady);
    const { game, states, moves } = this.#match;
    const asked = this.#match;
    const signal = this.#beginReview();
    this.#review.wait();
    try {
      this.#review.take({ game, states, moves }, await oracle.review(asked, REVIEW_MS, signal));
      this.#page.draw();
      announce(texts.reviewReady);
    } catch (error) {
      if (signal.aborted) return;
      this.#beginReview();
      complain(error, this.#page.review);
    }
  }

  /** Puts the card of the end on the board; where there was an opponent, it shows the accuracy as soon as it is known. */
  async end(isReviewed) {
    const match = this.#match;
    const { state } = match;
    this.#ending.open(state);
    this.#page.draw();
    if (!isReviewed || !match.record || !SIDES.includes(match.you)) return;
    const signal = this.#beginReview();
    const report = await oracle.review(match, REVIEW_MS, signal).catch(() => null);
    if (!report || signal.aborted || match.state !== state) return;
    this.#review.take(match, report);
    this.#ending.take(state, report);
    this.#page.draw();
  }

  /** The moves that were reviewed. */
  get reviewed() {
    return this.#review.moves;
  }

  /** The review, where it is shown. */
  get #shownReview() {
    const isOfGame = !this.#match.setup && [undefined, this.#match.game].includes(this.#review.game);
    return this.#mode?.hasReview && isOfGame ? this.#review : null;
  }

  /** Forgets the review that was, and returns the signal that ends the next one. */
  #beginReview() {
    this.#reviewing.abort();
    this.#reviewing = new AbortController();
    this.#review.clear();
    return this.#reviewing.signal;
  }

  /** Forgets a variation; the board goes back to the move before it, if it shows it. */
  #drop(moves) {
    const { variations } = this.#mode;
    const { moves: shown, ply } = this.#match;
    variations.drop(moves);
    const isShown = moves.every((move, index) => move === shown[index]);
    const before = moves.slice(0, -1);
    if (isShown) this.#match.follow([...before, ...variations.after(before)], Math.min(ply, before.length));
    else this.#match.go(ply);
  }

  /** Shows the position of another ply on the board while the pointer is on it. */
  #peek(ply) {
    this.#peeked = ply;
    this.#page.drawBoard();
  }

  /** The value beside the board and its history: of what hints, an analysis or a review have brought to light. */
  #drawValues() {
    const { game, state, states, moves, ply, hints } = this.#match;
    const byReview = this.#shownReview?.values(this.#match) ?? new Map();
    const isShown = hints.has("values");
    const known = new Map();
    states.forEach((each, index) => {
      const value = byReview.get(index) ?? (isShown ? this.#values.get(each) : null);
      if (value) known.set(index, value);
    });
    this.#showValue(isShown ? (resultOf(this.#match) ?? this.#values.get(state)) : null);
    this.#history.show(game, known, ply, moves.length, {
      verdictOn: (index) => this.#shownReview?.judged(moves.slice(0, index))?.verdict,
      moveTo: (index) => `${named(game, game.playerOf(states[index - 1]))} ${game.moveName(states[index - 1], moves[index - 1])}`,
    });
  }

  #showValue(value) {
    this.#bar.show(value, value?.turn, labelOf(this.#match, value));
  }

  /** The cell of the better move and the point from which it goes, where a review knows one and nothing stands there. */
  #better(ply) {
    const { game, states, moves } = this.#match;
    const move = this.#shownReview?.better(moves.slice(0, ply)) ?? null;
    if (move === null) return {};
    const [taken] = game.movesIn([move]);
    const cell = game.cellOf(states[ply - 1], taken);
    return states[ply].cells[cell] ? {} : { better: cell, betterFrom: game.originOf(taken) };
  }
}

/** The value of a game that is over, for the winner; null for one that goes on. */
function resultOf({ game, state: { status, winner } }) {
  if (status === "in_progress") return null;
  return status === "won" ? { outcome: "win", turn: game.players.indexOf(winner) } : { outcome: "draw", turn: 0 };
}

/** What the bar shows, in words: how a game stands that is over, that a value is awaited, or else the value itself. */
function labelOf(match, value) {
  if (!match.hints.has("values")) return texts.evaluationHidden;
  if (!match.isInProgress) return texts.evaluation({ headline: status(match) });
  return texts.evaluation({ headline: value ? headline(match.game, value) : texts.unknown });
}
