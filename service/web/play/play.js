// The mode in which people play each other or the oracle.

import { SIDES } from "../game/match.js";
import { texts } from "../words/texts.js";
import { ended, playedLast, status } from "../words/words.js";
import { Mode } from "./mode.js";

export class Play extends Mode {
  #score = { own: 0, other: 0, drawn: 0 };
  #counted = null; // the first state of the game that was counted last

  status(match, hasFailed) {
    return status(match, hasFailed);
  }

  /** How the game ended, or what the oracle has played. */
  story(match) {
    const { game, state, states, ply, you, isInProgress } = match;
    if (!isInProgress) return ended(game, state);
    return ply && you !== "both" && you !== SIDES[states[ply - 1].turn] ? playedLast(match) : "";
  }

  moves(match) {
    return match.isOracles;
  }

  /** Counts a game against the oracle, once however often its end is taken back. */
  finish({ game, you, states: [start], state: { winner } }) {
    if (SIDES.includes(you) && start !== this.#counted) {
      this.#counted = start;
      this.#score[winner === null ? "drawn" : winner === game.players[SIDES.indexOf(you)] ? "own" : "other"] += 1;
    }
    return true;
  }

  get score() {
    return this.#counted ? texts.score(this.#score) : "";
  }
}
