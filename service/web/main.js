// The page: one match, and everything that follows each of its changes, in one of its modes.

import * as api from "./oracle/api.js";
import { connection, keepPage } from "./oracle/connection.js";
import * as controls from "./play/controls.js";
import { Known } from "./game/known.js";
import * as link from "./game/link.js";
import { HINTS, Match, SIDES } from "./game/match.js";
import { announce, complain, dismiss, hush, settle, tellConnection } from "./words/notice.js";
import { Moves } from "./play/moves.js";
import { Play } from "./play/play.js";
import { remember, remembered } from "./play/preferences.js";
import { follow } from "./play/settings.js";
import * as strip from "./play/strip.js";
import { begin, texts } from "./words/texts.js";
import { nameOf } from "./words/translation.js";
import { playedLast, status } from "./words/words.js";

const TURNS = [-24, 24, null]; // ways to look at layers: from either side, and flat
const MOST_LOST = 1; // plies of a game that may be thrown away without a question
const ANALYSIS = { mode: "analyse", you: "both", hints: new Set(["values"]) };
const FIRST = { moves: [], ply: 0, mode: "play", you: "X", skill: 100, hints: [] }; // of a match until a link is read, or where it says nothing
const PUZZLES = "#puzzles"; // the fragment of a link to them

const find = (id) => document.getElementById(id);
const sharing = () => import("./play/share.js");

class Page {
  #known = new Known(() => strip.show(this.#known.games)); // what can be played
  #match = new Match({ game: this.#known.games.listed[0], ...FIRST });
  #modes = { play: new Play() }; // the others come with the parts that they need
  #study = null; // what analyses and reviews the match
  #moves = new Moves(find("board"), {
    match: () => this.#match,
    mode: () => this.#mode,
    draw: () => this.#draw(),
    end: () => this.#studying(() => this.#study.end(!connection.isGone)),
  });
  #work = new AbortController();
  #failed = null; // the last piece of work, if it has
  #opening = null; // ends when the match of the address is shown
  #turned = 0;

  constructor() {
    controls.listen({
      mode: (name) => this.#opening.then(() => this.#to(name)), // else the match that opens would end what begins here
      begin: (choices) => {
        this.#restart(choices);
        this.#keepChoices();
      },
      new: () => ({ puzzles: () => this.train(), retry: () => this.#retry() }[this.#match.mode] ?? controls.openGame)(),
      game: () => this.#openCatalogue(),
      undo: () => this.#match.canUndo && this.#match.undo(),
      redo: () => this.#match.canRedo && this.#match.redo(),
      first: () => this.#match.go(0),
      previous: () => this.#match.go(this.#match.ply - 1),
      next: () => this.#match.go(this.#match.ply + 1),
      last: () => this.#match.go(this.#match.moves.length),
      advise: () => this.#match.isInProgress && this.#attempt((signal) => this.#moves.byOracle(signal)),
      set: (changes) => this.#set(changes),
      choose: (choice) => this.#moves.choose(choice),
      digit: (digit) => this.#moves.digit(digit),
      load: (text) => this.#load(text),
      paste: (text) => this.#with(sharing, ({ isPosition }) => isPosition(text, this.#match.game) && this.#load(text)),
      copy: (what) => this.#with(sharing, ({ copy }) => copy(this.#match, what)),
      picture: () => this.#with(sharing, ({ picture }) => picture(this.#match)),
      edit: () => this.#openEditor(),
      review: () => this.#match.moves.length && this.#match.record && this.#judge(),
      swap: () => this.#swap(),
      flip: (axis) => this.#moves.board.flip(axis),
      turn: () => this.#moves.board.turn(TURNS[(this.#turned = (this.#turned + 1) % TURNS.length)]),
    });
    strip.listen((id) => (id ? this.#studying(() => this.#begin({ game: this.#known.games.named(id) })) : this.#openCatalogue())); // other boards have the style of parts
    strip.show(this.#known.games);
    window.addEventListener("popstate", () => {
      if (location.search !== link.write(this.#match)) this.open(); // the link to the board changes the fragment alone
    });
    connection.addEventListener("change", () => this.#reconnect());
  }

  get #mode() {
    return this.#modes[this.#match.mode];
  }

  /** Says whether the service is there; when it is back, what has failed without it goes on. */
  #reconnect() {
    tellConnection(connection.isGone);
    if (connection.isGone) return;
    if (isAwaiting()) this.open();
    else if (this.#failed) this.#attempt(this.#failed);
  }

  /** Does something with a part of the page that is loaded when it is used first; if it does not come, says so. */
  async #with(load, use) {
    const part = await api.part(load).catch((error) => complain(error, () => this.#with(load, use)));
    if (part) use(part);
  }

  /** Loads what analyses and reviews, with its modes, unless it is here. */
  async #loadStudy() {
    const { Study } = await api.part(() => import("./analyse/study.js"));
    if (this.#study) return;
    this.#study = new Study(this.#moves.board, {
      draw: () => this.#draw(),
      drawBoard: () => this.#moves.draw(this.#study),
      play: (move) => this.#moves.make(move),
      line: (moves) => this.#moves.along(moves),
      attempt: (task) => this.#attempt(task),
      stop: () => this.#work.abort(),
      begin: () => this.#begin(),
      review: () => this.#judge(),
      share: () => this.#with(sharing, ({ share }) => share(this.#match, () => controls.turnTo("game", true))),
      tryAgain: (ply) => this.#tryAgain(ply),
      retry: () => this.#learn(),
    });
    Object.assign(this.#modes, this.#study.modes);
    this.#study.follow(this.#match);
  }

  /** Does something for which that must be here. */
  async #studying(act) {
    if (this.#study) return act();
    await this.#with(() => this.#loadStudy().then(() => true), act);
  }

  /** Shows the games that are known, and all as soon as the service has sent them. */
  #openCatalogue() {
    const known = this.#known;
    const load = () => Promise.all([import("./play/catalogue.js"), known.games.load()]);
    this.#with(load, ([catalogue]) => {
      const shown = known.games;
      const show = () => catalogue.open(known.games, this.#match.game, (game) => this.#begin({ game }));
      const showAll = () => known.games !== shown && known.games.load().then(() => catalogue.isOpen() && show());
      show();
      known.meet().then(showAll).catch((error) => complain(error, () => this.#openCatalogue()));
    });
  }

  #openEditor() {
    const use = (setup) => this.#examine({ setup });
    this.#with(() => import("./play/editor.js"), (editor) => editor.open(this.#match.game, this.#match.state, use));
  }

  /** Opens the match of the address; until the service has sent an unknown game, the first one is shown. */
  open(query = location.search) {
    this.#opening = this.#open(query);
    return this.#opening;
  }

  async #open(query) {
    const here = location.search;
    const asked = await link.read(query, this.#known.games, { usual: remembered("usual", {}) });
    const isStudied = asked.game !== this.#known.games.listed[0] || asked.mode !== "play" || asked.setup || asked.moves.length > 0 || asked.hints.length > 0;
    const missing = asked.missing ?? (isStudied ? await this.#loadStudy().catch((error) => error) : undefined);
    if (here !== location.search) return;
    const isGood = asked.game && (this.#study || !isStudied);
    dismiss();
    this.#match = new Match(isGood ? asked : { ...FIRST, skill: asked.skill, game: this.#known.games.listed[0] });
    this.#moves.take(this.#match);
    this.#match.addEventListener("change", () => this.#follow());
    const isAwaited = !asked.game && !asked.missing && !this.#known.hasMet;
    document.documentElement.classList.toggle("awaiting", isAwaited);
    controls.turnTo(this.#pageOf());
    if (isAwaited) return this.#await(query);
    this.#follow();
    if (missing) complain(missing, () => this.open(query));
    else if (!asked.game) complain(new api.Problem(asked.isOwn ? { title: texts.ownRules, detail: texts.noSuchRules } : { title: texts.noGame, detail: texts.noGameInLink(asked) }));
    else if (this.#match.refused !== undefined) this.#refuse(this.#match.refused, this.#match.moves.length);
  }

  /** Opens a query when the service has sent its games. */
  #await(query) {
    this.#draw();
    this.#known.meet().then(
      () => isAwaiting() && this.open(query),
      (error) => complain(error, () => this.open(query)),
    );
  }

  #refuse(move, ply) {
    const { game } = this.#match;
    const isColumn = game.hasDigits && Number.isInteger(move);
    const detail = texts.notLegal({ ply: ply + 1, move: isColumn ? texts.column({ column: move + 1 }) : move });
    const hint = isColumn && move > 9 ? ` ${texts.drops({ drops: move })}` : "";
    complain(new api.Problem({ title: texts.noGameByRules, detail: `${detail}${hint}` }));
  }

  /** The page of the panel with which a mode begins; where values are shown, that with the analysis. */
  #pageOf() {
    return this.#match.hints.size ? "analysis" : this.#mode.page;
  }

  #begin(changes = {}) {
    this.#leave(() => this.#restart(changes));
  }

  /** Begins a new match; the back button returns to the previous one. */
  #restart(changes) {
    const { mode, moves, setup } = this.#match;
    dismiss();
    if (moves.length || setup) history.pushState(null, "", location.href);
    this.#match.restart({ mode: mode === "puzzles" ? "play" : mode, ...changes });
    controls.turnTo(this.#pageOf());
  }

  /** Begins a new match from the position to analyse. */
  #examine(changes) {
    this.#leave(() => this.#studying(() => this.#restart({ ...changes, ...ANALYSIS })));
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
    if (mode === "puzzles") return this.#leave(() => this.train());
    if (mode === before) return;
    if (mode === "analyse" && !this.#study) return this.#studying(() => this.#to(mode));
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
    this.#keepChoices();
    if (hadHints !== this.#match.hints.size > 0) controls.turnTo(this.#pageOf());
  }

  #keepChoices() {
    const { mode, you, skill, hints } = this.#match;
    if (mode === "play") remember("usual", { ...remembered("usual", {}), ...(SIDES.includes(you) && { you, skill }), hints: [...hints] });
  }

  /** Opens what a text says, to be analysed. */
  #load(text) {
    this.#with(sharing, ({ read }) => {
      const { game } = this.#match;
      const { query, setup = null, moves = [] } = read(text.trim(), game);
      if (query) return this.#leave(() => history.pushState(null, "", query) ?? this.open());
      const legal = game.follow(game.start(), moves).length - 1;
      if (!setup && legal < moves.length) return this.#refuse(moves[legal], legal);
      this.#examine({ setup, moves });
    });
  }

  /** Other sides: at once in a game that goes on, else in another one; none where two people or the oracle alone play. */
  #swap() {
    if (!SIDES.includes(this.#match.you)) return;
    const you = this.#match.you === "X" ? "O" : "X";
    if (this.#match.isInProgress) this.#set({ you });
    else this.#begin({ you });
  }

  /** Takes up another puzzle, of the kind that is chosen now. */
  async train() {
    await this.#attempt(async (signal) => {
      const { Training } = await api.part(() => import("./puzzles/puzzles.js"));
      await this.#known.meet();
      await this.#known.games.load(); // the rules of families
      this.#modes.puzzles ??= new Training((id) => this.#known.games.named(id), () => this.train());
      this.#restart(await this.#modes.puzzles.next(signal));
      announce(this.#modes.puzzles.prompt);
    });
  }

  /** What every change of the match brings about: all that hung on the old position ends, the new one is looked at. */
  #follow() {
    const { moves } = this.#match;
    this.#failed = null;
    this.#study?.follow(this.#match);
    this.#moves.release();
    this.#mode.follow(this.#match);
    link.put(this.#match, this.#mode.variations?.lines);
    this.#draw();
    if (moves.length && !this.#study) this.#loadStudy().then(() => this.#draw(), () => {}); // a list of moves can be missed for a while
    if (this.#match.ply && this.#match.isInProgress) announce(playedLast(this.#match));
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
    if (this.#mode.wanted(this.#match) && !this.#study?.hasAnalysis) this.#study?.say(texts.noAnswer);
    this.#draw();
    complain(error, () => this.#attempt(task));
  }

  async #look(signal) {
    const match = this.#match;
    if (!match.isInProgress) return this.#end();
    if (this.#mode.wanted(match)) {
      await this.#loadStudy();
      if (signal.aborted) return;
      this.#study.say(texts.searching);
    }
    if (this.#mode.moves(match)) await this.#moves.byOracle(signal);
    else if (this.#mode.wanted(match)) await this.#study.analyse(signal);
  }

  #end() {
    this.#study?.say(texts.gameOver);
    announce(`${status(this.#match)}. ${this.#mode.story(this.#match)}`);
  }

  /** Reviews the game, in the mode that shows it. */
  #judge() {
    this.#studying(() => {
      this.#to("analyse");
      this.#study.judge();
    });
  }

  /** Plays on from before a move, as the player who made it; the way back leads to the whole game. */
  #tryAgain(ply) {
    const { setup, states, moves } = this.#match;
    this.#restart({ setup, moves: moves.slice(0, ply - 1), mode: "play", you: SIDES[states[ply - 1].turn], hints: new Set() });
  }

  /** Has the better moves of a reviewed game found, one mistake after the other; the way back leads to the review. */
  #learn() {
    history.pushState(null, "", location.href);
    this.#retry();
  }

  #retry() {
    const ply = this.#modes.retry.next();
    const moves = this.#study.reviewed;
    Object.assign(this.#match, ply === null ? ANALYSIS : { mode: "retry", hints: new Set() });
    this.#match.follow(moves, ply === null ? moves.length : ply - 1);
    controls.turnTo(this.#pageOf());
    if (ply !== null) announce(this.#modes.retry.prompt);
  }

  /** Shows everything in the language of the page, once that is another one. */
  translate() {
    hush();
    strip.show(this.#known.games);
    this.#follow();
  }

  #draw() {
    const match = this.#match;
    const { game, state } = match;
    this.#moves.draw(this.#study);
    this.#study?.show(this.#mode);
    controls.show(match, this.#moves.choice, this.#mode.wanted(match));
    find("status").textContent = this.#mode.status(match, this.#failed !== null);
    find("status").className = `status ${this.#mode.isClosed ? "solved" : match.isInProgress && game.marksArePlayers ? `player-${"XO"[state.turn]}` : ""}`;
    find("story").textContent = this.#moves.story ?? (this.#mode.story(match) || game.told(state));
    find("prompt").replaceChildren();
    this.#mode.show?.(find("prompt"));
    find("copied").textContent = "";
    document.title = `${nameOf(game)} · Move Oracle`;
  }
}

/** Whether the page waits for the service to send the game of its link. */
function isAwaiting() {
  return document.documentElement.classList.contains("awaiting");
}

/** Shows the page in its language; that of a link, or in another language than English, was hidden until now. */
async function start() {
  const isForPuzzles = location.hash === PUZZLES; // which the address does not say for long
  await begin(location.search);
  const page = new Page();
  await page.open();
  follow(() => page.translate());
  keepPage();
  document.documentElement.classList.remove("linked", "translating");
  if (isForPuzzles) page.train();
}

start();
