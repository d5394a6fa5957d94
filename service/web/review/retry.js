// The mode in which the player looks for the better moves of a reviewed game before they are shown.

import { Mode } from "../play/mode.js";
import { texts } from "../words/texts.js";
import { named } from "../words/words.js";

/** One mistake of a reviewed game after the other. */
export class Retry extends Mode {
  #left = []; // the mistakes that are to come
  #mistake = null;
  #isRight = null; // whether the last try was; null before the first one

  /** Takes the mistakes of a review. */
  take(mistakes) {
    this.#left = mistakes;
  }

  /** The ply of the next mistake; null after the last. */
  next() {
    this.#isRight = null;
    this.#mistake = this.#left.shift() ?? null;
    return this.#mistake?.ply ?? null;
  }

  get isClosed() {
    return this.#isRight === true;
  }

  status({ game }) {
    return this.isClosed ? texts.right : texts.findBetter({ player: named(game, this.#mistake.player) });
  }

  /** What was wrong, or how the last try was; and how many mistakes are to come. */
  get prompt() {
    const told = this.#isRight === null ? texts.retry({ move: this.#mistake.name }) : this.#isRight ? texts.right : texts.wrong;
    return `${told} ${texts.mistakesLeft({ number: this.#left.length })}`;
  }

  /** Shows the prompt in `root`. */
  show(root) {
    root.textContent = this.prompt;
  }

  /** Ends where the match leaves the mistake. */
  follow(match) {
    if (match.ply !== this.#mistake.ply - Number(!this.isClosed)) match.mode = "analyse";
  }

  /** Whether a move is one of the best. */
  accepts(match, move) {
    if (this.isClosed) return false;
    this.#isRight = this.#mistake.best.some((each) => String(each) === String(move));
    return this.#isRight;
  }
}
