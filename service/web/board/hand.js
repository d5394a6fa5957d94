// The hand of the player: choices on the board and beside it that are not a move yet.

const AGAIN_MS = 400; // within which the second press of a double click comes

/** Turns taps on cells of a match into moves; calls `onMove` for each, and `onChange` after any other choice. */
export class Hand {
  #match = null;
  #start = null; // the first state of the game that is played, and the side of the player
  #you = null;
  #waiting = null; // the cell that was chosen while the oracle was to move
  #pressed = null; // the place that was pressed last, as long as a double click takes
  #calm = 0; // the timer that ends this
  #choice = null; // what a player has chosen to play
  #from = null; // the piece that a player has chosen to move, or more of the move as a text
  #onMove;
  #onChange;

  constructor(onMove, onChange) {
    this.#onMove = onMove;
    this.#onChange = onChange;
  }

  /** Plays in another match from now on. */
  take(match) {
    this.#match = match;
    this.release();
  }

  /** What is chosen of the marks, digits or ways to play; null in games without a choice. */
  get choice() {
    const choices = this.#match.game.choices(this.#match.state);
    return choices.includes(this.#choice) ? this.#choice : (choices[0] ?? null);
  }

  choose(choice) {
    this.#choice = choice;
    this.#onChange();
  }

  /** What a tap on a cell means now, with this choice. */
  aim(cell, choice = this.choice) {
    const { game, state } = this.#match;
    return game.aim(state, cell, choice, this.#from);
  }

  /** Whether a move is chosen but for the piece that it takes. */
  get isTaking() {
    return typeof this.#from === "string";
  }

  /** The cell whose move waits for the oracle's; null if none does. */
  get waiting() {
    return this.#waiting;
  }

  /**
   * A cell was chosen: its move is made. While the oracle is to move, the move waits in place of any other; chosen again,
   * it waits no more. None waits where a move needs a choice, or where the oracle alone plays.
   */
  tap(cell) {
    if (!this.#match.isInProgress) return;
    if (!this.#match.isOracles) return this.#act(cell);
    if (this.choice !== null || this.#match.you === "none") return;
    this.#waiting = this.#waiting !== null && this.#place(cell) === this.#place(this.#waiting) ? null : cell;
    this.#onChange();
  }

  /** A cell was pressed on the board; the second press of a double click is left out. */
  press(cell) {
    if (!this.#isPressedTwice(cell)) this.tap(cell);
  }

  /** Makes the move that waited for the oracle's; one that is not legal any more is left out. */
  flush() {
    const cell = this.#waiting;
    this.#waiting = null;
    if (cell !== null && this.#match.isInProgress) this.#act(cell);
    this.#onChange();
  }

  /** Puts down the piece that was chosen, after a change of the match; in another game, for another side and where moves were taken back, no cell waits. */
  release() {
    const { states: [start], you, ply, moves } = this.#match;
    this.#from = null;
    if (start !== this.#start || you !== this.#you || ply < moves.length) this.#waiting = this.#pressed = null;
    this.#start = start;
    this.#you = you;
  }

  /** What the board must know to show all this. */
  get view() {
    const { game, state } = this.#match;
    return {
      state: game.during(state, this.#from),
      aim: (cell, choice) => this.aim(cell, choice ?? this.choice),
      from: this.#from,
      mark: game.markOf(state, this.choice),
      isOpen: this.#match.isInProgress && !this.#match.isOracles,
      queued: this.#waiting === null ? null : this.#place(this.#waiting),
    };
  }

  /** The cell, or the column where that is a move: the same place for a press on any cell of it. */
  #place(cell) {
    const { game } = this.#match;
    return game.hasColumns ? game.columnOf(cell) : cell;
  }

  #isPressedTwice(cell) {
    const before = this.#pressed;
    this.#pressed = this.#place(cell);
    clearTimeout(this.#calm);
    this.#calm = setTimeout(() => (this.#pressed = null), AGAIN_MS);
    return this.#pressed === before;
  }

  #act(cell) {
    const meant = this.aim(cell);
    if (!meant) return;
    if (meant.move === undefined) {
      this.#from = meant.from;
      this.#onChange();
    } else this.#onMove(meant.move);
  }
}
