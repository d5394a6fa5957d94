// What modes share.

/**
 * A mode has the `status` and the `story` of a match, and says whether a move of the people at the page is made (`accepts`),
 * whether none is (`isClosed`), whether the oracle `moves` by itself, whether an analysis is `wanted` and a review shown, with which
 * `page` of the panel it begins, and which `variations` were looked at. It gets each change of the match (`follow`), and each game
 * that was played to its end (`finish`, which says whether the card of the end is wanted).
 */
export class Mode {
  page = "game";
  hasReview = false;
  variations = null;

  get isClosed() {
    return false;
  }

  /** The score of this visit, in words. */
  get score() {
    return "";
  }

  story() {
    return "";
  }

  accepts() {
    return true;
  }

  moves() {
    return false;
  }

  wanted(match) {
    return match.hints.size > 0;
  }

  follow() {}

  finish() {
    return false;
  }
}
