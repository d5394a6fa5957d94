// The hand of whoever plays: what was chosen on the board and beside it, and is not a move yet.

/** Turns taps on cells of a match into moves; `onMove` is told each, `onChange` that something else was chosen. */
export class Hand {
  #match = null;
  #start = null; // the first state of the game that is played, and the side of whoever plays
  #you = null;
  #queue = []; // cells that were chosen while the oracle was to move
  #choice = null; // what a player has chosen to play
  #from = null; // the piece that a player has chosen to move
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

  /** What a tap on a cell means now. */
  aim(cell) {
    const { game, state } = this.#match;
    return game.aim(state, cell, this.choice, this.#from);
  }

  /** A cell was chosen: its move is made, or waits while the oracle is to move. Where a move needs a choice, no cell waits. */
  tap(cell) {
    if (!this.#match.isInProgress) return;
    if (!this.#match.isOracles) return this.#act(cell);
    if (this.choice !== null) return;
    this.#queue.push(cell);
    this.#onChange();
  }

  /** Makes the moves that waited for the oracle's; one that is not legal any more is left out. */
  flush() {
    while (this.#queue.length && this.#match.isInProgress && !this.#match.isOracles) this.#act(this.#queue.shift());
    if (!this.#match.isInProgress) this.#queue = [];
    this.#onChange();
  }

  /** Puts down the piece that was chosen, after a change of the match; in another game, for another side and where moves were taken back, no cell waits. */
  release() {
    const { states: [start], you, ply, moves } = this.#match;
    this.#from = null;
    if (start !== this.#start || you !== this.#you || ply < moves.length) this.#queue = [];
    this.#start = start;
    this.#you = you;
  }

  /** What the board must know to show all this. */
  get view() {
    const { game, state } = this.#match;
    return {
      state,
      aim: (cell) => this.aim(cell),
      from: this.#from,
      mark: markOf(game, state, this.choice),
      isOpen: this.#match.isInProgress && !this.#match.isOracles,
      queued: this.#queue.map((cell) => (game.hasColumns ? game.columnOf(cell) : cell)),
    };
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

/** The mark that the player to move would write. */
function markOf(game, state, choice) {
  if (game.family === "notakto") return "X";
  if (choice === "pop") return null;
  return game.marksArePlayers ? game.playerOf(state) : choice;
}
