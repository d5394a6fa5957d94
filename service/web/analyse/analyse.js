// The mode in which the user moves both sides: the game stays, and any variation is tried beside it.

import { Mode } from "../play/mode.js";
import { texts } from "../words/texts.js";
import { ended, named, status } from "../words/words.js";
import { Variations } from "./variations.js";

export class Analyse extends Mode {
  page = "analysis";
  hasReview = true;
  variations = new Variations();

  status(match) {
    return match.isInProgress ? texts.toMove({ player: named(match.game, match.player) }) : status(match);
  }

  story({ game, state, isInProgress }) {
    return isInProgress ? "" : ended(game, state);
  }

  wanted() {
    return true;
  }

  follow(match) {
    this.variations.follow(match, history.state?.lines ?? []);
  }
}
