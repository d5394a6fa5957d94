// The board by itself, in a frame of another page: one match, and the messages to the page around it.

import * as api from "./oracle/api.js";
import { Board } from "./board/board.js";
import { paint } from "./play/colours.js";
import { connection } from "./oracle/connection.js";
import { showChoices } from "./play/controls.js";
import { FIRST_GAMES, Games } from "./game/games.js";
import { Hand } from "./board/hand.js";
import * as link from "./game/link.js";
import { Match } from "./game/match.js";
import { announce, complain, settle } from "./words/notice.js";
import * as oracle from "./oracle/oracle.js";
import { hinted } from "./board/overlay.js";
import { begin, texts } from "./words/texts.js";
import { en } from "./words/texts_en.js";
import { nameOf } from "./words/translation.js";
import { ended, named, status } from "./words/words.js";

const find = (id) => document.getElementById(id);
const root = document.querySelector(".frame");

class Frame {
  #known = new Games({ games: FIRST_GAMES });
  #match = null;
  #hand = new Hand((move) => this.#make(move), () => this.#draw());
  #board = new Board(find("board"), (cell) => this.#hand.press(cell));
  #work = new AbortController();
  #failed = null; // the last piece of work, if it has
  #analysis = null; // of the position on the board, once there is one

  constructor() {
    find("undo").addEventListener("click", () => this.#match.canUndo && this.#match.undo());
    find("new").addEventListener("click", () => this.#match.restart());
    find("choices").addEventListener("change", ({ target }) => this.#hand.choose(target.value));
    connection.addEventListener("change", () => !connection.isGone && this.#failed && this.#attempt(this.#failed));
    window.addEventListener("message", ({ source, data }) => {
      if (source === parent && parent !== window && typeof data?.open === "string") this.open(data.open);
    });
  }

  /** Shows the match of a query; asks the service for its games first, if it is of another than the first one. */
  async open(query) {
    const asked = new URLSearchParams(query);
    const faults = paint(asked);
    await this.#attempt(async (signal) => {
      await begin(query);
      if (!(await link.read(query, this.#known)).game) this.#known = new Games(await api.catalogue());
      const meant = await link.read(query, this.#known, { isPlayed: true });
      if (signal.aborted) return;
      this.#begin(meant, asked.get("controls"));
      if (faults.length) complain(new api.Problem({ title: texts.noColour, detail: texts.colourHint({ names: faults.join(` ${texts.and} `) }) }), () => this.open(query));
    });
  }

  /** Begins a match, with all `controls` ("minimal"), with "none", or else with its status and the way to the whole page. */
  #begin(asked, controls) {
    if (asked.missing) throw asked.missing;
    if (!asked.game) throw new api.Problem({ title: texts.noGame, detail: texts.noGameHere({ name: asked.name ?? texts.ownRules }) });
    this.#match = new Match(asked);
    this.#hand.take(this.#match);
    this.#match.addEventListener("change", () => this.#follow());
    document.title = nameOf(asked.game);
    find("status").className = controls === "none" ? "unseen" : "status";
    find("tools").hidden = controls === "none";
    for (const name of ["undo", "new"]) find(name).hidden = controls !== "minimal";
    root.toggleAttribute("data-values", this.#match.hints.has("values"));
    document.documentElement.classList.remove("awaiting");
    this.#tell("ready");
    this.#follow();
  }

  #make(move, isOracle = false) {
    const { game, state, player } = this.#match;
    const name = game.moveName(state, move, en); // programs read it
    if (!this.#match.play(move)) return;
    if (this.#match.isInProgress) announce(texts.played({ player: named(game, player), move: game.moveInWords(state, move) }));
    this.#tell("move", { move: name, by: player, oracle: isOracle });
  }

  /** What every change of the match brings about. */
  #follow() {
    this.#analysis = null;
    this.#hand.release();
    this.#draw();
    this.#tell("position");
    if (!this.#match.isInProgress) announce(`${status(this.#match)}. ${ended(this.#match.game, this.#match.state)}`);
    this.#attempt((signal) => this.#look(signal));
  }

  async #attempt(task) {
    this.#work.abort();
    this.#work = new AbortController();
    const { signal } = this.#work;
    this.#failed = null;
    settle();
    try {
      await task(signal);
    } catch (error) {
      if (!signal.aborted) this.#fail(error, task);
    }
  }

  #fail(error, task) {
    this.#failed = task;
    document.documentElement.classList.remove("awaiting");
    if (this.#match) this.#draw();
    complain(error, () => this.#attempt(task));
  }

  async #look(signal) {
    const match = this.#match;
    if (!match.isInProgress) return;
    if (match.isOracles) {
      const answer = await oracle.reply(match, signal);
      if (signal.aborted) return;
      this.#make(match.game.moveIn(answer), true);
      this.#hand.flush();
    } else if (match.hints.size) {
      const analysis = await oracle.analyse(match.question, oracle.BRIEF_MS, signal, () => {});
      if (signal.aborted) return;
      this.#analysis = analysis;
      this.#draw();
    }
  }

  #draw() {
    const match = this.#match;
    const { game, state } = match;
    const { view } = this.#hand;
    this.#board.show(game, { ...view, ...hinted(match, this.#analysis, view.aim) });
    showChoices(game, state, this.#hand.choice);
    find("status").textContent = status(match, this.#failed !== null);
    find("undo").ariaDisabled = String(!match.canUndo);
    find("whole").href = `/${link.write({ ...match, mode: "analyse" })}`;
  }

  /** Sends a message to the page around; a position is no secret, so it may be any page. */
  #tell(what, more = {}) {
    if (parent !== window) parent.postMessage({ moveOracle: what, position: described(this.#match), ...more }, "*");
  }
}

/** A position in the words of the service. */
function described({ game, state, moves, ply, player }) {
  const { cells, status, winner, line } = state;
  const board = cells.map((mark) => mark ?? ".").join("");
  return { game: game.asked, moves: game.written(moves.slice(0, ply)), board, player, status, winner, line };
}

new Frame().open(location.search);
