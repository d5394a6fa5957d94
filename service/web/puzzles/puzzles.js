// Puzzles: positions with exactly one move that reaches the goal, and the streak of those solved at once.

import { Problem, puzzles } from "../oracle/api.js";
import { newSeed } from "../game/match.js";
import { remember, remembered } from "../play/preferences.js";
import { texts } from "../words/texts.js";
import { questionOf, reasonOf } from "../words/translation.js";
import { named } from "../words/words.js";

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

/** The mode "puzzles", as `play/play.js` describes modes: a run of puzzles; `find` tells the game of an id. */
export class Training {
  page = "game";
  hasReview = false;
  variations = null;
  #find;
  #puzzle = null;
  #game = null;
  #board = null; // the position of the puzzle, as a match sets it up
  #isRight = null; // whether the last try was; null before the first one
  #isClean = true; // nothing wrong has been tried yet, and no value was seen

  constructor(find) {
    this.#find = find;
  }

  get streak() {
    return remembered("streak", 0);
  }

  status(match) {
    return this.isClosed ? texts.solved : texts.puzzleToMove({ player: named(match.game, match.player) });
  }

  /** Nothing above the board: what is to be found stands in the panel. */
  story() {
    return "";
  }

  /** What is to be found, or how the last try was. */
  get prompt() {
    return `${this.#told} ${texts.streak({ number: this.streak })}`;
  }

  moves() {
    return false;
  }

  /** A puzzle of which a value is seen counts no more. */
  wanted(match) {
    if (match.hints.size && !this.isClosed) this.#isClean = false;
    return match.hints.size > 0;
  }

  get #told() {
    if (this.#isRight === null) return questionOf(this.#game, this.#puzzle);
    return this.#isRight ? `${texts.right} ${reasonOf(this.#game, this.#puzzle.solution)}` : texts.wrong;
  }

  get isClosed() {
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
    this.#game = game;
    this.#isRight = null;
    this.#isClean = true;
    const { position, player } = this.#puzzle;
    const setup = { ...game.readText(position), turn: game.players.indexOf(player) };
    this.#board = setup;
    return { game, setup, mode: "puzzles", you: player, hints: new Set() };
  }

  /** Ends when a match leaves the puzzle: for another board or side, or by a move that was not judged. */
  follow(match) {
    const { setup, you, moves } = match;
    const isHere = setup === this.#board && you === this.#puzzle?.player && moves.length === Number(this.isClosed);
    if (!isHere) match.mode = "play";
  }

  /** Whether a move solves the puzzle; keeps the streak. */
  accepts({ game }, move) {
    if (this.isClosed) return false;
    const { solution } = this.#puzzle;
    const isRight = game.moveIn(solution) === move;
    if (isRight && this.#isClean) remember("streak", this.streak + 1);
    if (!isRight) remember("streak", 0);
    this.#isClean &&= isRight;
    this.#isRight = isRight;
    return isRight;
  }

  finish() {
    return false;
  }
}

/** A number for the day by universal time, the same everywhere. */
function dayNumber() {
  return Number(new Date().toISOString().slice(0, 10).replaceAll("-", ""));
}
