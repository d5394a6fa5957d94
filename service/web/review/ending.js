// The card on the board at the end of a game: the result, the score of this visit, and what can be done next.

import { button, element } from "../board/drawing.js";
import { percentage } from "./review.js";
import { texts } from "../words/texts.js";
import { named } from "../words/words.js";

/** The card in `root`. It stands there for the game that was `finished` last, as long as its end is on the board, in the mode of the game, until it is closed. */
export class Ending {
  #root;
  #handlers;
  #state = null; // the end for which it stands there
  #report = null;

  constructor(root, handlers) {
    this.#root = root;
    this.#handlers = handlers;
  }

  /** Stands there for this end from now on. */
  open(state) {
    this.#state = state;
    this.#report = null;
  }

  /** Takes the review of the game that has ended. */
  take(state, report) {
    if (state === this.#state) this.#report = report;
  }

  /** Shows what is known of the end on the board of a match, its `status` and the `score` of this visit. */
  show({ game, mode, state }, status, score) {
    this.#root.hidden = mode !== "play" || state !== this.#state;
    if (this.#root.hidden) return;
    const { rematch, review, share } = this.#handlers;
    const close = button("×", () => this.#close(), "plain close");
    close.ariaLabel = texts.close;
    const accuracy = Object.entries(this.#report?.accuracy ?? {}).map(([player, percent]) => `${named(game, player)} ${percentage(percent)}`);
    this.#root.replaceChildren(
      element("p", { className: "result", textContent: status }),
      element("p", { className: "quiet", textContent: score }),
      element("p", { className: "quiet kept", textContent: accuracy.length ? texts.accuracy({ told: accuracy.join(", ") }) : "" }),
      element("div", { className: "tools-row" }, button(texts.rematch, rematch, "main"), button(texts.review, review), button(texts.share, share)),
      close,
    );
  }

  #close() {
    this.#state = null;
    this.#root.hidden = true;
  }
}
