// The mode in which people play each other or the oracle.

import { SIDES } from "../game/match.js";
import { texts } from "../words/texts.js";
import { ended, playedLast, status } from "../words/words.js";

/**
 * The mode "play". A mode has the `status` and the `story` of a match, and says whether a move of the people at the page is
 * made (`accepts`), whether none is (`isClosed`), whether the oracle `moves` by itself, whether an analysis is `wanted` and a
 * review shown, with which `page` of the panel it begins, and which `variations` were looked at. It is told each change of the match
 * (`follow`), and each game that was played to its end (`finish`, which says whether the card of the end is wanted).
 */
export class Play {
  page = "game";
  isClosed = false;
  hasReview = false;
  variations = null;
  #score = { own: 0, other: 0, drawn: 0 }; // of this visit
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

  accepts() {
    return true;
  }

  moves(match) {
    return match.isOracles;
  }

  wanted(match) {
    return match.hints.size > 0;
  }

  follow() {}

  /** Counts a game against the oracle, once however often its end is taken back. */
  finish({ game, you, states: [start], state: { winner } }) {
    if (SIDES.includes(you) && start !== this.#counted) {
      this.#counted = start;
      this.#score[winner === null ? "drawn" : winner === game.players[SIDES.indexOf(you)] ? "own" : "other"] += 1;
    }
    return true;
  }

  /** The games that were won, lost and drawn against the oracle, in words; nothing before the first one. */
  get score() {
    return this.#counted ? texts.score(this.#score) : "";
  }
}
