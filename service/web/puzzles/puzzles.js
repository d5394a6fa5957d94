// Puzzles: positions with exactly one move that reaches the goal, and the streak of those solved at once.

import { Problem, puzzles } from "../oracle/api.js";
import { newSeed } from "../game/match.js";
import { remember, remembered } from "../play/preferences.js";
import { texts } from "../words/texts.js";
import { questionOf, reasonOf } from "../words/translation.js";

/** What puzzles ask for, one kind after the other: each is found in less than a second. */
const KINDS = [
  ["tic-tac-toe", "win"],
  ["connect-four-6x5", "win"],
  ["tic-tac-toe", "hold"],
  ["four-in-a-row-5x5", "win"],
  ["misere-tic-tac-toe", "win"],
  ["connect-four-5x4", "hold"],
  ["tic-tac-toe-3d", "win"],
  ["five-in-a-row-6x6", "hold"],
  ["connect-four-5x5", "win"],
  ["four-in-a-row-5x5", "hold"],
].map(([game, goal]) => ({ game, goal }));
const MOST_PLIES = 7; // of best play after the solution

/** A run of puzzles; `find` tells the game of an id. */
export class Training {
  #find;
  #puzzle = null;
  #board = null; // the position of the puzzle, as a match sets it up
  #isRight = null; // whether the last try was; null before the first one
  #isClean = true; // nothing wrong has been tried yet, and no value was seen

  constructor(find) {
    this.#find = find;
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

  /** Takes up a puzzle: that of today, or after it one by chance, and returns its game, its board and who solves it. */
  async next(signal) {
    const today = dayNumber();
    const seed = remembered("daily", 0) === today ? newSeed() : today;
    const kind = KINDS[seed % KINDS.length];
    const { puzzles: found } = await puzzles({ ...kind, plies_at_most: MOST_PLIES, seed }, signal);
    const game = this.#find(kind.game);
    if (!game) throw new Problem({ title: texts.noGame, detail: texts.noGameHere({ name: kind.game }) });
    remember("daily", today);
    [this.#puzzle] = found;
    this.#isRight = null;
    this.#isClean = true;
    const { position, player } = this.#puzzle;
    const setup = { ...game.readText(position), turn: game.players.indexOf(player) };
    this.#board = setup;
    return { game, setup, you: player };
  }

  /** Notes that a value was seen: the puzzle counts no more. */
  help() {
    this.#isClean = this.isSolved && this.#isClean;
  }

  /** Ends when a match leaves the puzzle: for another board or side, or by a move that was not judged. */
  follow({ setup, you, moves }) {
    const isHere = setup === this.#board && you === this.#puzzle?.player && moves.length === Number(this.isSolved);
    if (!isHere) this.end();
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
    this.#isRight = null;
  }
}

/** A number for the day by universal time, the same everywhere. */
function dayNumber() {
  return Number(new Date().toISOString().slice(0, 10).replaceAll("-", ""));
}
