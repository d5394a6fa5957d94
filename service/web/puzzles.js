// Puzzles: positions with exactly one move that reaches the goal, and the streak of those solved at once.

import { puzzles } from "./api.js";
import { remember, remembered } from "./preferences.js";
import { texts } from "./texts.js";
import { questionOf, reasonOf } from "./translation.js";

/** A run of puzzles; `change` follows every step of it. */
export class Training {
  #games;
  #puzzle = null;
  #isRight = null; // whether the last try was; null before the first one
  #isClean = true; // nothing wrong has been tried yet

  constructor(games) {
    this.#games = games;
  }

  get isOn() {
    return this.#puzzle !== null;
  }

  get streak() {
    return remembered("streak", 0);
  }

  /** What there is to say below the status. */
  get story() {
    return `${this.#told} ${texts.streak({ number: this.streak })}`;
  }

  get #told() {
    if (this.#isRight === null) return questionOf(this.#puzzle);
    return this.#isRight ? `${texts.right} ${reasonOf(this.#puzzle.solution)}` : texts.wrong;
  }

  get isSolved() {
    return this.#isRight === true;
  }

  /** Takes up a puzzle: that of today, or else one by chance, and returns its game and moves. */
  async next(isDaily, signal) {
    const seed = isDaily ? dayNumber() : crypto.getRandomValues(new Uint32Array(1))[0];
    const { puzzles: found } = await puzzles(seed, signal);
    [this.#puzzle] = found;
    this.#isRight = null;
    this.#isClean = true;
    const game = this.#games().find(({ id }) => id === this.#puzzle.game);
    return { game, moves: this.#puzzle.moves, you: this.#puzzle.player };
  }

  /** Whether a move solves the puzzle; keeps the streak. */
  judge(game, move) {
    const { solution } = this.#puzzle;
    const isRight = game.moveIn(solution) === move;
    if (isRight && this.#isClean) remember("streak", this.streak + 1);
    if (!isRight) remember("streak", 0);
    this.#isClean &&= isRight;
    this.#isRight = isRight;
    return isRight;
  }

  end() {
    this.#puzzle = null;
  }
}

/** A number for the day, the same everywhere. */
function dayNumber() {
  return Number(new Date().toISOString().slice(0, 10).replaceAll("-", ""));
}
