// The games that the page knows: a few from the start, and all when the service has sent them in this visit or in one before.

import { catalogue } from "../oracle/api.js";
import { remember, remembered } from "../play/preferences.js";
import { FIRST_GAMES, Games } from "./games.js";

export class Known {
  #told = remembered("catalogue", { games: FIRST_GAMES });
  #onMore;
  games = new Games(this.#told);
  hasMet = false; // whether the service has sent its games in this visit

  /** `onMore` is called when the service has sent others than were known. */
  constructor(onMore) {
    this.#onMore = onMore;
  }

  /** Asks the service for all its games, which the browser remembers for the next visit. */
  async meet() {
    if (this.hasMet) return;
    const told = await catalogue();
    this.hasMet = true;
    if (JSON.stringify(told) === JSON.stringify(this.#told)) return;
    remember("catalogue", told);
    this.#told = told;
    this.games = new Games(told);
    this.#onMore();
  }
}
