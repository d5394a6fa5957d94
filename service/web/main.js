// The page: one match, and everything that follows each of its changes, in one of three modes.

import { AnalysisPanel } from "./analyse/analysis.js";
import { Analyse } from "./analyse/analyse.js";
import * as api from "./oracle/api.js";
import { Board } from "./board/board.js";
import { button } from "./board/drawing.js";
import { connection, keepPage } from "./oracle/connection.js";
import * as controls from "./play/controls.js";
import { Ending } from "./play/ending.js";
import { Bar, History } from "./analyse/evaluation.js";
import { Games, TIC_TAC_TOE } from "./game/games.js";
import { Hand } from "./board/hand.js";
import * as link from "./game/link.js";
import { HINTS, Match, SIDES } from "./game/match.js";
import { announce, complain, dismiss, hush, settle, tellConnection } from "./words/notice.js";
import * as oracle from "./oracle/oracle.js";
import { hinted } from "./board/overlay.js";
import { Play } from "./play/play.js";
import { remember, remembered, sound } from "./play/preferences.js";
import { Training } from "./puzzles/puzzles.js";
import { Retry } from "./review/retry.js";
import { Review } from "./review/review.js";
import { Sheet } from "./review/sheet.js";
import { follow } from "./play/settings.js";
import * as strip from "./play/strip.js";
import * as written from "./play/written.js";
import { begin, texts } from "./words/texts.js";
import { nameOf, verdictOf } from "./words/translation.js";
import { headline, named, playedLast, status } from "./words/words.js";

const LONG_MS = 30000; // an analysis that was asked for
const REVIEW_MS = 10000;
const LINE_MS = 600; // how long each move of a line is seen
const TURNS = [-24, 24, null]; // ways to look at layers: from either side, and flat
const MOST_LOST = 1; // plies of a game that may be thrown away without a question
const ANALYSIS = { mode: "analyse", you: "both", hints: new Set(["values"]) };

const find = (id) => document.getElementById(id);

class Page {
  #known; // what can be played
  #hasCatalogue = false; // whether the service has told the games
  #match;
  #modes = { play: new Play(), analyse: new Analyse(), puzzles: new Training((id) => this.#known.named(id)), retry: new Retry() };
  #hand = new Hand((move) => this.#play(move), () => this.#draw());
  #board = new Board(find("board"), (cell) => this.#choose(() => this.#hand.press(cell)));
  #bar = new Bar(find("bar"));
  #history = new History(find("history"), (ply) => this.#match.go(ply), (ply) => this.#peek(ply));
  #sheet = new Sheet(find("sheet"), (moves, ply) => this.#match.follow(moves, ply));
  #review = new Review(find("review"), find("summary"), (moves, ply) => this.#match.follow(moves, ply), (ply) => this.#tryAgain(ply), (mistakes) => this.#learn(mistakes));
  #ending = new Ending(find("ending"), { rematch: () => this.#begin(), review: () => this.#judge(), share: () => this.#share() });
  #panel = new AnalysisPanel(find("analysis"), {
    onPlay: (move) => this.#playChosen(move),
    onLine: (moves) => this.#playLine(moves),
    onPoint: (move) => this.#board.point(move?.move ?? null, move?.reasons.flatMap(({ lines }) => lines ?? [])),
    onStop: () => this.#stop(),
    onLonger: () => this.#attempt((signal) => this.#analyse(LONG_MS, signal)),
  });
  #work = new AbortController();
  #reviewing = new AbortController();
  #failed = null; // the last piece of work, if it has
  #analysis = null; // of the position on the board, once there is one
  #values = new WeakMap(); // what is known of the value of states
  #found = new Map(); // analyses in which nothing is left to prove, by position
  #turned = 0;
  #peeked = null; // the ply that is pointed at in the history

  constructor() {
    this.#know(remembered("catalogue", { games: [TIC_TAC_TOE] }));
    controls.listen({
      mode: (name) => this.#to(name),
      begin: (choices) => this.#restart(choices),
      new: () => ({ puzzles: () => this.#train(), retry: () => this.#retry() }[this.#match.mode] ?? controls.openGame)(),
      game: () => this.#openCatalogue(),
      undo: () => this.#match.canUndo && this.#match.undo(),
      redo: () => this.#match.canRedo && this.#match.redo(),
      first: () => this.#match.go(0),
      previous: () => this.#match.go(this.#match.ply - 1),
      next: () => this.#match.go(this.#match.ply + 1),
      last: () => this.#match.go(this.#match.moves.length),
      advise: () => this.#match.isInProgress && this.#attempt((signal) => this.#oracleMoves(signal)),
      set: (changes) => this.#set(changes),
      choose: (choice) => this.#hand.choose(choice),
      digit: (digit) => this.#digit(digit),
      load: (text) => this.#load(text),
      paste: (text) => written.isPosition(text, this.#match.game) && this.#load(text),
      copy: (what) => this.#copy(what),
      edit: () => this.#openEditor(),
      review: () => this.#match.moves.length && this.#match.record && this.#judge(),
      swap: () => this.#swap(),
      turn: () => this.#board.turn(TURNS[(this.#turned = (this.#turned + 1) % TURNS.length)]),
    });
    strip.listen((id) => (id ? this.#begin({ game: this.#known.named(id) }) : this.#openCatalogue()));
    window.addEventListener("popstate", () => {
      if (location.search !== link.write(this.#match)) this.open(); // the link to the board changes the fragment alone
    });
    connection.addEventListener("change", () => this.#reconnect());
    this.#meet();
  }

  get #mode() {
    return this.#modes[this.#match.mode];
  }

  /** The review, where it is shown. */
  get #shownReview() {
    const isOfGame = !this.#match.setup && [undefined, this.#match.game].includes(this.#review.game);
    return this.#mode.hasReview && isOfGame ? this.#review : null;
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
      const query = location.search;
      const wasKnown = (await link.read(query, this.#known)).game;
      this.#know(told);
      if (!wasKnown && query === location.search) this.open();
    } catch (error) {
      if (document.documentElement.classList.contains("awaiting")) complain(error, () => this.#meet());
    }
  }

  #know(told) {
    this.#known = new Games(told);
    strip.show(this.#known);
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
    const use = (setup) => this.#begin({ setup, ...ANALYSIS });
    this.#with(() => import("./play/editor.js"), (editor) => editor.open(this.#match.game, this.#match.state, use));
  }

  /** Opens the match of the address; until the service has told what an unknown game is, the first one stands there. */
  async open(query = location.search) {
    const here = location.search;
    const asked = await link.read(query, this.#known, { usual: remembered("usual", {}) });
    if (here !== location.search) return;
    const [game] = this.#known.listed;
    dismiss();
    this.#match = new Match(asked.game ? asked : { ...asked, game, moves: [], ply: 0, mode: "play", you: "X", hints: [] });
    this.#hand.take(this.#match);
    this.#match.addEventListener("change", () => this.#follow());
    const isAwaited = !asked.game && !asked.missing && !this.#hasCatalogue;
    document.documentElement.classList.toggle("awaiting", isAwaited);
    controls.turnTo(this.#pageOf());
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

  /** The page of the panel with which a mode begins; where values are shown, that with the analysis. */
  #pageOf() {
    return this.#match.hints.size ? "analysis" : this.#mode.page;
  }

  #begin(changes = {}) {
    this.#leave(() => this.#restart(changes));
  }

  /** Begins anew; the way back leads to the match that was. */
  #restart(changes) {
    const { mode, moves, setup } = this.#match;
    dismiss();
    if (moves.length || setup) history.pushState(null, "", location.href);
    this.#match.restart({ mode: mode === "puzzles" ? "play" : mode, ...changes });
    controls.turnTo(this.#pageOf());
  }

  /** Does what ends this match, after a question if it is not over; an analysis has nothing to lose. */
  #leave(act) {
    const { mode, isInProgress, moves } = this.#match;
    if (mode !== "play" || !isInProgress || moves.length <= MOST_LOST) return act();
    const dialog = find("confirm");
    dialog.returnValue = "";
    dialog.addEventListener("close", () => dialog.returnValue === "leave" && act(), { once: true });
    dialog.showModal();
  }

  /** Changes the mode: a game is analysed as it is, and an analysis is played on from the board; the way back leads to what was before. */
  #to(mode) {
    const { mode: before, game, setup, moves, ply, state, hints, isInProgress } = this.#match;
    if (mode === "puzzles") return this.#leave(() => this.#train());
    if (mode === before) return;
    history.pushState(null, "", location.href);
    if (mode === "analyse") {
      this.#modes.analyse.variations.forget();
      this.#match.set({ ...ANALYSIS, hints: hints.size ? hints : ANALYSIS.hints });
    } else {
      const { you = "X", skill = this.#match.skill, hints: shown = [] } = remembered("usual", {});
      const goesOn = isInProgress && moves.length > 0;
      this.#match.restart({ mode, skill, hints: new Set(shown), you: goesOn ? SIDES[state.turn] : you, ...(goesOn && { game, setup, moves: moves.slice(0, ply) }) });
    }
    controls.turnTo(this.#pageOf());
  }

  /** Changes sides, level or hints; those of games against the oracle are as usual from now on. */
  #set(changes) {
    const hadHints = this.#match.hints.size > 0;
    this.#match.set(changes);
    const { mode, you, skill, hints } = this.#match;
    if (mode === "play") remember("usual", { ...remembered("usual", {}), ...(SIDES.includes(you) && { you, skill }), hints: [...hints] });
    if (hadHints !== hints.size > 0) controls.turnTo(this.#pageOf());
  }

  /** Opens what a text says, to be analysed. */
  #load(text) {
    const { game } = this.#match;
    const { query, setup = null, moves = [] } = written.read(text.trim(), game);
    if (query) return this.#leave(() => this.#visit(query));
    const legal = game.follow(game.start(), moves).length - 1;
    if (!setup && legal < moves.length) return this.#refuse(moves[legal], legal);
    this.#begin({ setup, moves, ...ANALYSIS });
  }

  #visit(query) {
    history.pushState(null, "", query);
    this.open();
  }

  /** Other sides: at once in a game that goes on, else in another one; none where two people or the oracle alone play. */
  #swap() {
    if (!SIDES.includes(this.#match.you)) return;
    const you = this.#match.you === "X" ? "O" : "X";
    if (this.#match.isInProgress) this.#set({ you });
    else this.#begin({ you });
  }

  async #train() {
    await this.#attempt(async (signal) => {
      this.#restart(await this.#modes.puzzles.next(signal));
      announce(this.#modes.puzzles.prompt);
    });
  }

  /** A cell is chosen; on the board of a solved puzzle none is. */
  #choose(choosing) {
    if (this.#mode.isClosed) return;
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
    if (!this.#mode.accepts(this.#match, move)) {
      announce(this.#mode.prompt);
      return this.#draw();
    }
    const { turn } = this.#match.state;
    if (this.#make(move)) sound(turn ? 392 : 523, true);
  }

  /** Makes a move of either side; at the end of a game the card of the end stands on the board. */
  #make(move) {
    const match = this.#match;
    const isMade = match.play(move);
    if (isMade && !match.isInProgress && this.#mode.finish(match)) {
      this.#ending.open(match.state);
      this.#drawEnding();
      if (match.record && SIDES.includes(match.you) && !connection.isGone) this.#judgeQuietly();
    }
    return isMade;
  }

  #playChosen(move) {
    this.#board.focus();
    if (!this.#match.isOracles && !this.#mode.isClosed) this.#play(move);
  }

  /** Plays the best line on the board, move by move, until something else happens. */
  async #playLine(moves) {
    const match = this.#match;
    if (match.isOracles || this.#mode.isClosed) return;
    for (const move of moves) {
      if (!match.play(move)) return;
      const after = match.state;
      await new Promise((resolve) => setTimeout(resolve, LINE_MS));
      if (match !== this.#match || match.state !== after) return;
    }
  }

  /** What every change of the match brings about: all that hung on the old position ends, the new one is looked at. */
  #follow() {
    this.#analysis = null;
    this.#failed = null;
    this.#peeked = null;
    this.#hand.release();
    this.#mode.follow(this.#match);
    link.put(this.#match, this.#mode.variations?.lines);
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
    if (this.#mode.wanted(this.#match) && !this.#analysis) this.#panel.say(texts.noAnswer);
    this.#draw();
    complain(error, () => this.#attempt(task));
  }

  async #look(signal) {
    const match = this.#match;
    if (!match.isInProgress) return this.#end();
    const isWanted = this.#mode.wanted(match);
    if (isWanted) this.#panel.say(texts.searching);
    else this.#panel.say(texts.analysisHint, button(texts.showHints, () => this.#set({ hints: new Set(HINTS) })));
    if (this.#mode.moves(match)) await this.#oracleMoves(signal);
    else if (isWanted) await this.#analyse(oracle.BRIEF_MS, signal);
  }

  #end() {
    this.#panel.say(texts.gameOver);
    announce(`${status(this.#match)}. ${this.#mode.story(this.#match)}`);
  }

  /** Lets the oracle play: in its own place as strong as it was set, in a person's place as well as it can. */
  async #oracleMoves(signal) {
    const match = this.#match;
    const { game, state } = match;
    const answer = await oracle.reply(match, signal, this.#mode.reply?.(match));
    if (signal.aborted) return;
    sound(state.turn ? 392 : 523, false);
    this.#make(game.moveIn(answer));
    this.#hand.flush();
  }

  async #analyse(timeMs, signal) {
    const match = this.#match;
    const { question, position, game, state } = match;
    const known = this.#found.get(keyOf(position));
    this.#analysis = known ?? (await oracle.analyse(question, timeMs, signal, (report) => this.#followSearch(report)));
    const isComplete = this.#analysis.moves.every((move) => move.exact);
    if (isComplete) this.#found.set(keyOf(position), this.#analysis);
    this.#values.set(state, { ...this.#analysis, turn: state.turn });
    this.#draw();
    this.#panel.result(game, state, this.#analysis, isComplete, timeMs === LONG_MS);
    announce(`${headline(game, this.#analysis)}. ${verdictOf(game, state, this.#analysis)}`);
  }

  #followSearch(report) {
    this.#panel.searching(report);
    this.#board.lead(report.column);
    if (this.#match.hints.has("values")) this.#showValue({ ...report, player: this.#match.player, turn: this.#match.state.turn });
  }

  #stop() {
    this.#work.abort();
    find("analysis").ariaBusy = "false";
    this.#panel.stopped();
  }

  /** Reviews the game in the mode that shows it, unless that is known. */
  async #judge() {
    this.#to("analyse");
    if (this.#shownReview?.judged(this.#match.moves)) return announce(texts.reviewReady);
    const match = this.#match;
    const { game, states, moves } = match;
    const signal = this.#beginReview();
    this.#review.wait();
    try {
      this.#review.take({ game, states, moves }, await oracle.review(match, REVIEW_MS, signal));
      this.#draw();
      announce(texts.reviewReady);
    } catch (error) {
      if (signal.aborted) return;
      this.#beginReview();
      complain(error, () => this.#judge());
    }
  }

  /** Reviews a game that has just ended, for the card of the end. */
  async #judgeQuietly() {
    const match = this.#match;
    const { state } = match;
    const signal = this.#beginReview();
    const report = await oracle.review(match, REVIEW_MS, signal).catch(() => null);
    if (!report || signal.aborted || match.state !== state) return;
    this.#review.take(match, report);
    this.#ending.take(state, report);
    this.#draw();
  }

  /** Forgets the review that was, and returns the signal that ends the next one. */
  #beginReview() {
    this.#reviewing.abort();
    this.#reviewing = new AbortController();
    this.#review.clear();
    return this.#reviewing.signal;
  }

  /** Plays on from before a move, as the player who made it; the way back leads to the whole game. */
  #tryAgain(ply) {
    const { setup, states, moves } = this.#match;
    this.#restart({ setup, moves: moves.slice(0, ply - 1), mode: "play", you: SIDES[states[ply - 1].turn], hints: new Set() });
  }

  /** Has the better moves of a reviewed game found, one mistake after the other; the way back leads to the review. */
  #learn(mistakes) {
    history.pushState(null, "", location.href);
    this.#modes.retry.take(mistakes);
    this.#retry();
  }

  #retry() {
    const ply = this.#modes.retry.next();
    const { moves } = this.#review;
    Object.assign(this.#match, ply === null ? ANALYSIS : { mode: "retry", hints: new Set() });
    this.#match.follow(moves, ply === null ? moves.length : ply - 1);
    controls.turnTo(this.#pageOf());
    if (ply !== null) announce(this.#modes.retry.prompt);
  }

  /** Shows everything in the language of the page, once that is another one. */
  translate() {
    hush();
    strip.show(this.#known);
    this.#follow();
  }

  async #copy(what) {
    const text = written.COPIED[what](this.#match);
    try {
      await navigator.clipboard.writeText(text);
      find("copied").textContent = texts.copied;
    } catch {
      find("copied").textContent = text;
    }
  }

  /** Hands the link to the game on, by the means of the device where it has any. */
  #share() {
    const url = written.COPIED.link({ ...this.#match, mode: "analyse" });
    if (navigator.share) return navigator.share({ title: document.title, url }).catch(() => {});
    controls.turnTo("game");
    find("more").open = true;
    return this.#copy("link");
  }

  #draw() {
    const match = this.#match;
    const { game, state } = match;
    this.#drawBoard();
    this.#drawValues();
    this.#sheet.show(match, this.#shownReview, this.#mode.variations);
    this.#shownReview?.show(match.moves.slice(0, match.ply));
    find("review").hidden = !this.#shownReview;
    find("summary").hidden = !this.#shownReview;
    controls.show(match, this.#hand.choice);
    find("status").textContent = this.#mode.status(match, this.#failed !== null);
    find("status").className = `status ${this.#mode.isClosed ? "solved" : match.isInProgress && game.marksArePlayers ? `player-${"XO"[state.turn]}` : ""}`;
    find("story").textContent = this.#hand.waiting === null ? this.#mode.story(match) : this.#waitingStory();
    find("prompt").replaceChildren();
    this.#mode.show?.(find("prompt"));
    find("copied").textContent = "";
    document.title = `${nameOf(game)} · Move Oracle`;
    this.#drawEnding();
  }

  #drawEnding() {
    this.#ending.show(this.#match, this.#mode.status(this.#match), this.#modes.play.score);
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
  #better(ply = this.#match.ply) {
    const { game, states, moves } = this.#match;
    const move = this.#shownReview?.better(moves.slice(0, ply)) ?? null;
    if (move === null) return {};
    const [taken] = game.movesIn([move]);
    const cell = game.cellOf(states[ply - 1], taken);
    return states[ply].cells[cell] ? {} : { better: cell, betterFrom: game.originOf(taken) };
  }

  /** That a move waits for the oracle's, and how to take it back. */
  #waitingStory() {
    const { game } = this.#match;
    const name = game.cellName(this.#hand.waiting);
    return texts.waitsForOracle({ move: game.hasColumns ? texts.column({ column: name }) : name });
  }

  #announceMove() {
    if (this.#match.ply && this.#match.isInProgress) announce(playedLast(this.#match));
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
