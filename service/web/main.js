// The page: one match, and everything that follows each of its changes.

import { AnalysisPanel } from "./analyse/analysis.js";
import * as api from "./oracle/api.js";
import { Board } from "./board/board.js";
import { connection, keepPage } from "./oracle/connection.js";
import * as controls from "./play/controls.js";
import { Bar, History } from "./analyse/evaluation.js";
import { Games, TIC_TAC_TOE } from "./game/games.js";
import { Hand } from "./board/hand.js";
import * as link from "./game/link.js";
import { Match, SIDES } from "./game/match.js";
import { announce, complain, dismiss, hush, settle, tellConnection } from "./words/notice.js";
import * as oracle from "./oracle/oracle.js";
import { hinted } from "./board/overlay.js";
import { remember, remembered, sound } from "./play/preferences.js";
import { Training } from "./puzzles/puzzles.js";
import { Review, Sheet } from "./review/review.js";
import { follow } from "./play/settings.js";
import { begin, texts } from "./words/texts.js";
import { reasonOf, verdictOf } from "./words/translation.js";
import { Tree } from "./analyse/tree.js";
import { ended, headline, named, status } from "./words/words.js";

const LONG_MS = 30000; // an analysis that was asked for
const [REPLIES_MS, LONG_REPLIES_MS] = [400, 5000]; // each position of the explorer
const REVIEW_MS = 10000;
const TURNS = [-24, 24, null]; // ways to look at layers: from either side, and flat
const MOST_LOST = 1; // plies of a game that may be thrown away without a question

const find = (id) => document.getElementById(id);

class Page {
  #known; // what can be played
  #hasCatalogue = false; // whether the service has told the games
  #match;
  #hand = new Hand((move) => this.#play(move), () => this.#draw());
  #board = new Board(find("board"), (cell) => this.#choose(() => this.#hand.press(cell)));
  #bar = new Bar(find("bar"));
  #history = new History(find("history"), (ply) => this.#match.go(ply), (ply) => this.#peek(ply));
  #sheet = new Sheet(find("sheet"), (ply) => this.#match.go(ply));
  #review = new Review(find("review"), (ply) => this.#match.go(ply), (ply) => this.#tryAgain(ply));
  #tree = new Tree(find("branches"));
  #training = new Training((id) => this.#known.named(id));
  #panel = new AnalysisPanel(find("analysis"), {
    onPlay: (move) => this.#playChosen(move),
    onPoint: (move) => this.#board.point(move?.move ?? null, move?.reasons.flatMap(({ lines }) => lines ?? [])),
    onStop: () => this.#stop(),
    onLonger: () => this.#attempt((signal) => this.#analyse(LONG_MS, signal)),
  });
  #work = new AbortController();
  #reviewing = new AbortController();
  #reviewed = ""; // the record that the review is of
  #failed = null; // the last piece of work, if it has
  #analysis = null; // of the position on the board, once there is one
  #values = new WeakMap(); // what is known of the value of states
  #found = new Map(); // analyses in which nothing is left to prove, by position
  #told = new Map(); // what the oracle said of its moves, by the position after them
  #turned = 0;
  #peeked = null; // the ply that is pointed at in the history

  constructor() {
    this.#know(remembered("catalogue", { games: [TIC_TAC_TOE] }));
    controls.listen({
      begin: () => this.#begin(),
      game: () => this.#openCatalogue(),
      undo: () => this.#match.canUndo && this.#match.undo(),
      redo: () => this.#match.canRedo && this.#match.redo(),
      first: () => this.#match.go(0),
      previous: () => this.#match.go(this.#match.ply - 1),
      next: () => this.#match.go(this.#match.ply + 1),
      last: () => this.#match.go(this.#match.moves.length),
      advise: () => this.#match.isInProgress && this.#attempt((signal) => this.#oracleMoves(signal)),
      set: (changes) => this.#match.set(changes),
      choose: (choice) => this.#hand.choose(choice),
      digit: (digit) => this.#digit(digit),
      load: (text) => this.#match.game.hasDigits && this.#load(text),
      copy: () => this.#copy(),
      edit: () => this.#openEditor(),
      puzzle: () => this.#leave(() => this.#train()),
      review: () => this.#match.moves.length && this.#match.record && this.#judge(),
      swap: () => this.#swap(),
      turn: () => this.#board.turn(TURNS[(this.#turned = (this.#turned + 1) % TURNS.length)]),
      unfold: () => this.#attempt((signal) => this.#look(signal)),
    });
    window.addEventListener("popstate", () => {
      if (location.search !== link.write(this.#match)) this.open(); // the link to the board changes the fragment alone
    });
    connection.addEventListener("change", () => this.#reconnect());
    this.#meet();
  }

  /** Says whether the service is there; when it is back, what has failed without it goes on. */
  #reconnect() {
    tellConnection(connection.isGone);
    if (connection.isGone) return;
    if (!this.#hasCatalogue) this.#meet();
    if (this.#failed) this.#attempt(this.#failed);
  }

  /** Asks the service for its games, which the browser remembers for the next visit. */
  async #meet() {
    try {
      const told = await api.catalogue();
      remember("catalogue", told);
      this.#hasCatalogue = true;
      const wasKnown = (await link.read(location.search, this.#known)).game;
      this.#know(told);
      if (!wasKnown) this.open();
    } catch (error) {
      if (document.documentElement.classList.contains("awaiting")) complain(error, () => this.#meet());
    }
  }

  #know(told) {
    this.#known = new Games(told);
    if (find("catalogue").open) this.#openCatalogue();
  }

  /** Does something with a part of the page that is loaded when it is used first; if it does not come, says so. */
  async #with(load, use) {
    const part = await api.part(load).catch((error) => complain(error, () => this.#with(load, use)));
    if (part) use(part);
  }

  #openCatalogue() {
    const load = () => Promise.all([import("./play/catalogue.js"), this.#known.load()]);
    this.#with(load, ([catalogue]) => catalogue.open(this.#known, this.#match.game, (game) => this.#begin({ game })));
  }

  #openEditor() {
    const use = (setup) => this.#begin({ setup, you: "both" });
    this.#with(() => import("./play/editor.js"), (editor) => editor.open(this.#match.game, this.#match.state, use));
  }

  /** Opens the match of the address; until the service has told what an unknown game is, the first one stands there. */
  async open(query = location.search) {
    const here = location.search;
    const asked = await link.read(query, this.#known);
    if (here !== location.search) return;
    const [game] = this.#known.listed;
    dismiss();
    this.#training.end();
    this.#match = new Match(asked.game ? asked : { ...asked, game, moves: [], ply: 0 });
    this.#hand.take(this.#match);
    this.#match.addEventListener("change", () => this.#follow());
    const isAwaited = !asked.game && !asked.missing && !this.#hasCatalogue;
    document.documentElement.classList.toggle("awaiting", isAwaited);
    if (isAwaited) return this.#draw();
    this.#follow();
    if (asked.missing) complain(asked.missing, () => this.open(query));
    else if (!asked.game) complain(new api.Problem(asked.isOwn ? { title: texts.ownRules, detail: texts.noSuchRules } : { title: texts.noGame, detail: texts.noGameInLink(asked) }));
    else if (this.#match.refused !== undefined) this.#refuse(this.#match.refused, this.#match.moves.length);
  }

  #refuse(move, ply) {
    const { game } = this.#match;
    const told = game.hasDigits && Number.isInteger(move) ? texts.column({ column: move + 1 }) : move;
    complain(new api.Problem({ title: texts.noGameByRules, detail: texts.notLegal({ ply: ply + 1, move: told }) }));
  }

  #begin(changes = {}) {
    this.#leave(() => this.#restart(changes));
  }

  /** Begins anew; the way back leads to the match that was. */
  #restart(changes) {
    dismiss();
    history.pushState(null, "", location.href);
    this.#match.restart(changes);
  }

  /** Does what ends this match, after a question if it is not over. */
  #leave(act) {
    const { isInProgress, moves } = this.#match;
    if (!isInProgress || moves.length <= MOST_LOST) return act();
    const dialog = find("confirm");
    dialog.returnValue = "";
    dialog.addEventListener("close", () => dialog.returnValue === "leave" && act(), { once: true });
    dialog.showModal();
  }

  /** Opens a string of columns, if it is a game. */
  #load(text) {
    const { game } = this.#match;
    const moves = game.read(text);
    const legal = game.follow(game.start(), moves).length - 1;
    if (legal < moves.length) return this.#refuse(moves[legal], legal);
    this.#begin({ moves });
  }

  /** Other sides: at once in a game that goes on, else in another one; none where two people or the oracle alone play. */
  #swap() {
    if (!SIDES.includes(this.#match.you)) return;
    const you = this.#match.you === "X" ? "O" : "X";
    if (this.#match.isInProgress) this.#match.set({ you });
    else this.#begin({ you });
  }

  async #train() {
    await this.#attempt(async (signal) => {
      const puzzle = await this.#training.next(signal);
      this.#restart({ ...puzzle, hints: new Set() });
      announce(this.#training.story);
    });
  }

  /** A cell is chosen; on the board of a solved puzzle none is. */
  #choose(choosing) {
    if (this.#training.isSolved) return;
    choosing();
    if (this.#hand.waiting !== null) announce(this.#waitingStory());
  }

  /** A digit drops into its column, or is the digit to play. */
  #digit(digit) {
    const { game, state } = this.#match;
    if (game.hasColumns && Number(digit) <= game.columns) this.#choose(() => this.#hand.tap(Number(digit) - 1));
    else if (game.choices(state).includes(digit)) this.#hand.choose(digit);
  }

  #play(move) {
    if (this.#training.isOn && !this.#training.isSolved && !this.#training.judge(this.#match.game, move)) {
      announce(this.#training.story);
      return this.#draw();
    }
    const { turn } = this.#match.state;
    if (this.#match.play(move)) sound(turn ? 392 : 523, true);
  }

  #playChosen(move) {
    this.#board.focus();
    if (!this.#match.isOracles && !this.#training.isSolved) this.#play(move);
  }

  /** Goes to a board of the explorer, whoever's moves lead there. */
  #explore(moves) {
    find("tree").querySelector("summary").focus({ preventScroll: true });
    for (const move of moves) this.#match.play(move);
  }

  /** What every change of the match brings about: all that hung on the old position ends, the new one is looked at. */
  #follow() {
    this.#analysis = null;
    this.#failed = null;
    this.#peeked = null;
    this.#hand.release();
    this.#training.follow(this.#match);
    link.put(this.#match);
    if (JSON.stringify([this.#match.setup, this.#match.moves]) !== this.#reviewed) this.#forgetReview();
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
    this.#failed = task;
    if (this.#match.hints.size && !this.#analysis) this.#panel.say(texts.noAnswer);
    this.#draw();
    complain(error, () => this.#attempt(task));
  }

  async #look(signal) {
    const match = this.#match;
    if (!match.isInProgress) return this.#end();
    this.#panel.say(match.hints.size ? texts.searching : texts.analysisHint);
    if (match.isOracles && !this.#training.isOn) await this.#oracleMoves(signal);
    else if (match.hints.size || find("tree").open) await this.#analyse(oracle.BRIEF_MS, signal);
  }

  #end() {
    this.#panel.say(texts.gameOver);
    this.#tree.say(texts.gameOverTree);
    announce(`${status(this.#match)}. ${this.#story()}`);
  }

  /** Lets the oracle play: in its own place as strong as it was set, in a person's place as well as it can. */
  async #oracleMoves(signal) {
    const match = this.#match;
    const { game, player, state } = match;
    const answer = await oracle.reply(match, signal);
    if (signal.aborted) return;
    const move = game.moveIn(answer);
    this.#told.set(keyOf(match.questionAfter(move).position), played(game, state, player, move, answer));
    sound(state.turn ? 392 : 523, false);
    match.play(move);
    this.#hand.flush();
  }

  async #analyse(timeMs, signal) {
    const match = this.#match;
    const { question, position, game, state } = match;
    this.#training.help();
    const known = this.#found.get(keyOf(position));
    this.#analysis = known ?? (await oracle.analyse(question, timeMs, signal, (report) => this.#followSearch(report)));
    const isComplete = this.#analysis.moves.every((move) => move.exact);
    if (isComplete) this.#found.set(keyOf(position), this.#analysis);
    this.#values.set(state, { ...this.#analysis, turn: state.turn });
    this.#draw();
    if (match.hints.size) {
      this.#panel.result(game, state, this.#analysis, isComplete, timeMs === LONG_MS);
      announce(`${headline(this.#analysis)}. ${verdictOf(game, state, this.#analysis)}`);
    } else this.#panel.say(texts.analysisHint); // the explorer alone tells values
    if (find("tree").open) {
      const after = (move) => match.questionAfter(move);
      const play = (moves) => match.state === state && this.#explore(moves);
      const isLong = timeMs === LONG_MS;
      const longer = isLong ? null : () => this.#attempt((next) => this.#analyse(LONG_MS, next));
      await this.#tree.show({ game, state, after, play, longer }, this.#analysis, isLong ? LONG_REPLIES_MS : REPLIES_MS, signal);
    }
  }

  #followSearch(report) {
    if (!this.#match.hints.size) return;
    this.#panel.searching(report);
    this.#board.lead(report.column);
    if (this.#match.hints.has("values")) this.#showValue({ ...report, player: this.#match.player, turn: this.#match.state.turn });
  }

  #stop() {
    this.#work.abort();
    find("analysis").ariaBusy = "false";
    this.#panel.stopped();
  }

  async #judge() {
    this.#forgetReview();
    const match = this.#match;
    this.#reviewed = JSON.stringify([match.setup, match.moves]);
    const { signal } = this.#reviewing;
    this.#review.wait();
    try {
      const report = await oracle.review(match, REVIEW_MS, signal);
      this.#review.show(match, report);
      this.#draw();
      announce(texts.reviewReady);
    } catch (error) {
      if (signal.aborted) return;
      this.#forgetReview();
      complain(error, () => this.#judge());
    }
  }

  /** Goes back to before a move, for the player who made it to make another one; the way back leads to the whole game. */
  #tryAgain(ply) {
    const { turn } = this.#match.states[ply - 1];
    history.pushState(null, "", location.href);
    this.#match.go(ply - 1);
    this.#match.set({ you: SIDES[turn] });
  }

  /** Shows everything in the language of the page, once that is another one. */
  translate() {
    hush();
    if (this.#review.report) this.#review.show(this.#match, this.#review.report);
    else this.#review.clear();
    this.#follow();
  }

  #forgetReview() {
    this.#reviewing.abort();
    this.#reviewing = new AbortController();
    this.#reviewed = "";
    this.#review.clear();
  }

  async #copy() {
    const { href } = new URL(link.write(this.#match), location.href);
    try {
      await navigator.clipboard.writeText(href);
      find("copied").textContent = texts.copied;
    } catch {
      find("copied").textContent = href;
    }
  }

  #draw() {
    const match = this.#match;
    const { game, state } = match;
    this.#drawBoard();
    this.#drawValues();
    this.#sheet.show(match, this.#review.report);
    controls.show(match, this.#hand.choice);
    find("status").textContent = this.#training.isOn ? this.#training.isSolved ? texts.solved : texts.puzzleToMove({ player: named(match.player) }) : status(match, this.#failed !== null);
    find("status").className = `status ${match.isInProgress && game.marksArePlayers ? `player-${"XO"[state.turn]}` : ""}`;
    find("story").textContent = this.#hand.waiting === null ? this.#story() : this.#waitingStory();
    find("puzzle").textContent = this.#training.isOn ? texts.nextPuzzle : texts.puzzles;
    find("copied").textContent = "";
  }

  #drawBoard() {
    const match = this.#match;
    const { view } = this.#hand;
    this.#board.show(match.game, this.#peeked !== null && match.states[this.#peeked] ? this.#preview(this.#peeked) : { ...view, ...hinted(match, this.#analysis, view.aim), ...this.#better() });
  }

  /** Shows the position of another ply on the board as long as somebody points at it. */
  #peek(ply) {
    this.#peeked = ply;
    this.#drawBoard();
  }

  #preview(ply) {
    return { state: this.#match.states[ply], hints: new Map(), aim: () => null, isOpen: false, ...this.#better(ply) };
  }

  /** The value beside the board and its history: of what hints or a review have brought to light. */
  #drawValues() {
    const { game, state, states, moves, ply, hints } = this.#match;
    const report = this.#review.report;
    const byReview = this.#review.values;
    const isShown = hints.has("values");
    const known = new Map();
    states.forEach((each, index) => {
      const value = byReview.get(index) ?? (isShown ? this.#values.get(each) : null);
      if (value) known.set(index, value);
    });
    const value = isShown ? (resultOf(this.#match) ?? this.#values.get(state)) : null;
    this.#showValue(value);
    this.#history.show(game, known, ply, moves.length, {
      verdicts: report?.plies.map(({ verdict }) => verdict),
      moveTo: (index) => `${named(game.playerOf(states[index - 1]))} ${game.moveName(states[index - 1], moves[index - 1])}`,
    });
  }

  #showValue(value) {
    this.#bar.show(value, value?.turn, labelOf(this.#match, value));
  }

  /** The cell of the better move and the point from which it goes, where a review knows one and nothing stands there. */
  #better(ply = this.#match.ply) {
    const { game, states } = this.#match;
    const move = this.#review.better(ply);
    if (move === null || move === undefined) return {};
    const [taken] = game.movesIn([move]);
    const cell = game.cellOf(states[ply - 1], taken);
    return states[ply].cells[cell] ? {} : { better: cell, betterFrom: game.originOf(taken) };
  }

  #story() {
    const match = this.#match;
    if (this.#training.isOn) return this.#training.story;
    if (!match.isInProgress) return ended(match.game, match.state);
    const told = this.#told.get(keyOf(match.position));
    return told ? told(match.hints.size > 0) : "";
  }

  /** That a move waits for the oracle's, and how to take it back. */
  #waitingStory() {
    const { game } = this.#match;
    const name = game.cellName(this.#hand.waiting);
    return texts.waitsForOracle({ move: game.hasColumns ? texts.column({ column: name }) : name });
  }

  #announceMove() {
    const { game, states, moves, ply } = this.#match;
    if (!ply || !this.#match.isInProgress) return;
    const before = states[ply - 1];
    announce(this.#story() || texts.played({ player: named(game.playerOf(before)), move: game.moveInWords(before, moves[ply - 1]) }));
  }
}

/** What somebody has played, and why, unless that would give a value away. */
function played(game, state, player, move, answer) {
  const plain = () => texts.played({ player: named(player), move: game.moveInWords(state, move) });
  return (isToldWhy) => (isToldWhy ? `${plain()} ${reasonOf(answer)}` : plain());
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
  return texts.evaluation({ headline: value ? headline(value) : texts.unknown });
}

function keyOf(position) {
  return JSON.stringify(position);
}

/** Shows the page in its language; that of a link, or in another language than English, was hidden until now. */
async function start() {
  await begin(location.search);
  const page = new Page();
  await page.open();
  follow(() => page.translate());
  keepPage();
  document.documentElement.classList.remove("linked", "translating");
}

start();
