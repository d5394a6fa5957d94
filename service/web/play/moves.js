// The moves of a match: by the hand of people, of the oracle, and along a line that is shown.

import { Board } from "../board/board.js";
import { Hand } from "../board/hand.js";
import * as oracle from "../oracle/oracle.js";
import { announce } from "../words/notice.js";
import { texts } from "../words/texts.js";
import { sound } from "./preferences.js";

const LINE_MS = 600; // how long each move of a line is seen
const PLAIN = { hints: new Map(), values: null }; // what a board shows that is not studied

/** The moves on the board in `root`. The page has the `match` and its `mode`, and methods to `draw` again and for the `end` of a game. */
export class Moves {
  #page;
  #hand = new Hand((move) => this.#play(move), () => this.#page.draw());

  constructor(root, page) {
    this.#page = page;
    this.board = new Board(root, (cell) => this.#choose(() => this.#hand.press(cell)));
  }

  /** Plays in another match from now on. */
  take(match) {
    this.#hand.take(match);
  }

  /** Puts down what was chosen, after a change of the match. */
  release() {
    this.#hand.release();
  }

  /** What is chosen of the marks, digits or ways to play; null in games without a choice. */
  get choice() {
    return this.#hand.choice;
  }

  choose(choice) {
    this.#hand.choose(choice);
  }

  /** A digit drops into its column, or is the digit to play. */
  digit(digit) {
    const { game, state } = this.#page.match();
    if (game.hasColumns && Number(digit) <= game.columns) this.#choose(() => this.#hand.tap(Number(digit) - 1));
    else if (game.choices(state).includes(digit)) this.#hand.choose(digit);
  }

  /** A move was chosen beside the board. */
  make(move) {
    this.board.focus();
    if (!this.#page.match().isOracles && !this.#page.mode().isClosed) this.#play(move);
  }

  /** Plays the best line on the board, move by move, until something else happens. */
  async along(moves) {
    const match = this.#page.match();
    if (match.isOracles || this.#page.mode().isClosed) return;
    for (const move of moves) {
      if (!match.play(move)) return;
      const after = match.state;
      await new Promise((resolve) => setTimeout(resolve, LINE_MS));
      if (match !== this.#page.match() || match.state !== after) return;
    }
  }

  /** Lets the oracle play: in its own place as strong as it was set, in a person's place as well as it can. */
  async byOracle(signal) {
    const match = this.#page.match();
    const { game, state } = match;
    const answer = await oracle.reply(match, signal, this.#page.mode().reply?.(match));
    if (signal.aborted) return;
    sound(state.turn ? 392 : 523, false);
    this.#make(game.moveIn(answer));
    this.#hand.flush();
  }

  /** Draws the board, with what a `study` knows of it. */
  draw(study) {
    const { view } = this.#hand;
    this.board.show(this.#page.match().game, { ...view, ...(study?.view(view.aim) ?? PLAIN) });
  }

  /** That a move lacks the piece to take, or waits for the oracle's, and how to take it back; null where neither is so. */
  get story() {
    const { game } = this.#page.match();
    if (this.#hand.isTaking) return texts.choosePiece;
    if (this.#hand.waiting === null) return null;
    const name = game.cellName(this.#hand.waiting);
    return texts.waitsForOracle({ move: game.hasColumns ? texts.column({ column: name }) : name });
  }

  /** A cell is chosen; on the board of a solved puzzle none is. */
  #choose(choosing) {
    if (this.#page.mode().isClosed) return;
    choosing();
    if (this.story) announce(this.story);
  }

  #play(move) {
    const [match, mode] = [this.#page.match(), this.#page.mode()];
    if (!mode.accepts(match, move)) {
      announce(mode.prompt);
      return this.#page.draw();
    }
    const { turn } = match.state;
    if (this.#make(move)) sound(turn ? 392 : 523, true);
  }

  /** Makes a move of either side. */
  #make(move) {
    const match = this.#page.match();
    const isMade = match.play(move);
    if (isMade && !match.isInProgress && this.#page.mode().finish(match)) this.#page.end();
    return isMade;
  }
}
