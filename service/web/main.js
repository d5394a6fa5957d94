// The page: one match, and everything that follows each of its changes.

import { AnalysisPanel } from "./analysis.js";
import * as api from "./api.js";
import { Board } from "./board.js";
import * as controls from "./controls.js";
import { Game, playerAt } from "./game.js";
import * as link from "./link.js";
import { Match } from "./match.js";
import { announce, complain, settle } from "./notice.js";
import { overlay } from "./overlay.js";
import { Review, Sheet } from "./review.js";
import { Tree } from "./tree.js";
import { headline, played, status } from "./words.js";

const MOVE_MS = 1500; // the oracle's time for a move
const BRIEF_MS = 2500; // an analysis while somebody plays
const LONG_MS = 30000; // an analysis that was asked for
const REPLIES_MS = 400; // each position of the game tree
const REVIEW_MS = 10000;
const SEEN_MS = 350; // how long a move is seen before the oracle answers it

const find = (id) => document.getElementById(id);

class Page {
  #games;
  #mostMs; // the longest search that the service allows
  #match;
  #board = new Board(find("board"), (cell) => this.#play(cell));
  #sheet = new Sheet(find("sheet"), (ply) => this.#match.go(ply));
  #review = new Review(find("review"), (ply) => this.#match.go(ply));
  #tree = new Tree(find("branches"));
  #panel = new AnalysisPanel(find("analysis"), {
    onPlay: (cell) => this.#playChosen(cell),
    onPoint: (move) => this.#board.point(move?.move ?? null, move?.reasons.flatMap(({ lines }) => lines)),
    onStop: () => this.#stop(),
    onLonger: () => this.#attempt((signal) => this.#analyse(LONG_MS, signal)),
  });
  #work = new AbortController();
  #loading = new AbortController(); // of a string of columns
  #reviewing = new AbortController();
  #reviewed = ""; // the record that the review is of
  #hasFailed = false; // whether the last piece of work has
  #standing = null; // how the position on the board stands, once the service has said so
  #analysis = null; // of the position on the board, once there is one
  #found = new Map(); // analyses in which nothing is left to prove, by position
  #told = new Map(); // what the oracle said of its moves, by the position after them

  constructor(games, mostMs) {
    this.#games = games;
    this.#mostMs = mostMs;
    controls.listen(games, {
      begin: (game) => this.#begin(game),
      undo: () => this.#match.canUndo && this.#match.undo(),
      redo: () => this.#match.canRedo && this.#match.redo(),
      advise: () => this.#isInProgress && this.#attempt((signal) => this.#oracleMoves(signal)),
      set: (changes) => this.#match.set(changes),
      drop: (column) => this.#drop(column),
      load: (text) => this.#match.game.hasDigits && this.#load(text),
      copy: () => this.#copy(),
      review: () => this.#match.moves.length && this.#judge(),
      unfold: () => this.#attempt((signal) => this.#look(signal)),
    });
    window.addEventListener("popstate", () => {
      if (location.search !== link.write(this.#match)) this.#open(); // the link to the board changes the fragment alone
    });
    this.#open();
  }

  /** Opens the match of the address. */
  #open() {
    const asked = link.read(location.search, this.#games);
    this.#match = new Match(asked.game ? asked : { ...asked, game: this.#games[0], moves: [], ply: 0 });
    this.#match.addEventListener("change", () => this.#follow());
    this.#follow();
    if (!asked.game) complain(new api.Problem({ title: "No such game", detail: `The link names the game “${asked.name}”, which is not in the catalogue.` }), () => this.#open());
  }

  /** Begins anew; the way back leads to the match that was. */
  #begin(game) {
    history.pushState(null, "", location.href);
    this.#match.restart(game);
  }

  /** Opens a string of columns, if it is a game and nothing else has been done since; the way back leads to the match that was. */
  async #load(text) {
    const { game } = this.#match;
    const columns = text.replace(/[\s,]/g, "");
    this.#loading.abort();
    this.#loading = new AbortController();
    const { signal } = this.#loading;
    try {
      await api.standing({ game: game.id, moves: columns }, signal);
    } catch (error) {
      if (!signal.aborted) complain(error, () => this.#load(text));
      return;
    }
    history.pushState(null, "", location.href);
    this.#match.load(game.read(columns));
  }

  /** Plays in a column, if moves are columns and it has room. */
  #drop(column) {
    const { game, cells } = this.#match;
    if (!game.hasColumns || column >= game.columns) return;
    const cell = game.landing(game.marksOn(cells), column);
    if (cell !== null) this.#play(cell);
  }

  #play(cell) {
    if (this.#isInProgress && !this.#match.isOracles) this.#match.play(cell);
  }

  #playChosen(cell) {
    this.#board.focus();
    this.#play(cell);
  }

  get #isInProgress() {
    return this.#standing?.status === "in_progress";
  }

  /** What every change of the match brings about: all that hung on the old position ends, the new one is looked at. */
  #follow() {
    this.#loading.abort();
    this.#standing = null;
    this.#analysis = null;
    this.#hasFailed = false;
    link.put(this.#match);
    if (JSON.stringify(this.#match.record) !== this.#reviewed) this.#forgetReview();
    this.#review.at(this.#match.ply);
    this.#draw();
    this.#announceMove();
    this.#attempt((signal) => this.#look(signal));
  }

  /** Does a piece of work in place of the one before; if it fails, says so and offers to try again. */
  async #attempt(task) {
    this.#work.abort();
    this.#work = new AbortController();
    const { signal } = this.#work;
    settle();
    find("analysis").ariaBusy = "true";
    try {
      await task(signal);
    } catch (error) {
      if (!signal.aborted) this.#fail(error, task);
    }
    if (!signal.aborted) find("analysis").ariaBusy = "false";
  }

  #fail(error, task) {
    this.#hasFailed = true;
    this.#draw();
    complain(error, () => this.#attempt(task));
  }

  async #look(signal) {
    this.#standing = await api.standing(this.#match.position, signal);
    this.#hasFailed = false;
    this.#draw();
    if (!this.#isInProgress) this.#end();
    else if (this.#match.isOracles) await this.#oracleMoves(signal);
    else if (this.#match.hints.size || find("tree").open) await this.#analyse(BRIEF_MS, signal);
    else this.#panel.say("Turn on the hints to see the value of each move.");
  }

  #end() {
    this.#panel.say("The game is over. Undo a move, or review the game.");
    this.#tree.say("The game is over.");
    announce(`${status(this.#match, this.#standing)}. ${this.#story()}`);
  }

  /** Lets the oracle play: in its own place as strong as it was set, in a person's place as well as it can. */
  async #oracleMoves(signal) {
    const match = this.#match;
    const { game, player, position } = match;
    const chance = { skill: match.isYours ? 100 : match.skill, seed: match.seed + match.ply };
    const [answer] = await Promise.all([api.bestMove(position, { ...chance, timeMs: this.#within(MOVE_MS) }, signal), pause(SEEN_MS)]);
    if (signal.aborted) return;
    this.#told.set(keyOf(match.after(answer.move)), played(game, player, answer));
    match.play(answer.move);
  }

  async #analyse(timeMs, signal) {
    const match = this.#match;
    const { position, game } = match;
    const known = this.#found.get(keyOf(position));
    this.#analysis = known ?? (await api.analyse(position, this.#within(timeMs), signal, (report) => this.#followSearch(report)));
    const isComplete = this.#analysis.moves.every((move) => move.exact);
    if (isComplete) this.#found.set(keyOf(position), this.#analysis);
    this.#draw();
    this.#panel.result(game, this.#analysis, isComplete, timeMs === LONG_MS);
    announce(`${headline(this.#analysis)}. ${this.#analysis.reason}`);
    const marks = game.marksOn(match.cells);
    if (find("tree").open) await this.#tree.show(game, (cell) => match.after(cell), marks, this.#analysis, this.#within(REPLIES_MS), signal);
  }

  #followSearch(report) {
    this.#panel.searching(report);
    this.#board.lead(report.column);
  }

  #stop() {
    this.#work.abort();
    find("analysis").ariaBusy = "false";
    this.#panel.stopped();
  }

  async #judge() {
    this.#forgetReview();
    this.#reviewed = JSON.stringify(this.#match.record);
    const { game, record } = this.#match;
    const { signal } = this.#reviewing;
    this.#review.wait();
    try {
      const report = await api.review(record, this.#within(REVIEW_MS), signal);
      this.#review.show(game, report, this.#match.ply);
      this.#draw();
      announce("The review is ready.");
    } catch (error) {
      if (signal.aborted) return;
      this.#forgetReview();
      complain(error, () => this.#judge());
    }
  }

  #forgetReview() {
    this.#reviewing.abort();
    this.#reviewing = new AbortController();
    this.#reviewed = "";
    this.#review.clear();
  }

  async #copy() {
    try {
      await navigator.clipboard.writeText(location.href);
      find("copied").textContent = "Copied.";
    } catch {
      find("copied").textContent = location.href;
    }
  }

  #draw() {
    const match = this.#match;
    const { game, cells } = match;
    this.#board.show(game, {
      marks: game.marksOn(cells),
      newest: cells.at(-1),
      player: match.player,
      isOpen: this.#isInProgress && !match.isOracles,
      hints: this.#analysis ? overlay(this.#analysis, match.hints) : new Map(),
      values: match.hints.has("values"),
      won: this.#standing?.winning_line,
    });
    this.#sheet.show(game, game.cellsOf(match.moves), match.ply, this.#review.report);
    controls.show(match, this.#isInProgress);
    find("status").textContent = status(this.#match, this.#standing, this.#hasFailed);
    find("story").textContent = this.#story();
    find("copied").textContent = "";
  }

  #within(timeMs) {
    return Math.min(timeMs, this.#mostMs);
  }

  #story() {
    if (this.#standing && !this.#isInProgress) return this.#standing.reason;
    return this.#told.get(keyOf(this.#match.position)) ?? "";
  }

  #announceMove() {
    const { cells, game } = this.#match;
    if (cells.length) announce(this.#story() || `${playerAt(cells.length - 1)} played ${game.moveName(cells.at(-1))}.`);
  }
}

function keyOf(position) {
  return JSON.stringify(position);
}

function pause(ms) {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** Starts the page with the catalogue. */
async function start() {
  try {
    const [games, { max_time_ms: mostMs }] = await Promise.all([api.listGames(), api.version()]);
    new Page(games.map((description) => new Game(description)), mostMs);
  } catch (error) {
    complain(error, start);
  }
}

start();
