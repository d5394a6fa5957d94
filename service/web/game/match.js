// The match: moves, where in them we are, who plays. It changes through its methods alone and says so with "change".

export const HINTS = ["values", "line", "threats"];
export const SIDES = ["X", "O"]; // the first player and the second, by any names in the game

/**
 * A game being played, or replayed. `moves` are as requests give them; `ply` of them stand on the board. `mode` is "play", "analyse" or
 * "puzzles". `seed` is that of a link, or null; `chance` decides the moves of a weak oracle.
 */
export class Match extends EventTarget {
  #states; // before each move, and after the last

  constructor({ game, setup = null, moves, ply, mode, you, skill, seed = null, hints }) {
    super();
    Object.assign(this, { game, setup, ply, mode, you, skill, seed, hints: new Set(hints), chance: seed ?? newSeed() });
    this.#take(moves);
    this.ply = Math.min(ply, this.moves.length);
  }

  get state() {
    return this.#states[this.ply];
  }

  /** The states up to the one on the board. */
  get states() {
    return this.#states;
  }

  get isInProgress() {
    return this.state.status === "in_progress";
  }

  /** The position on the board, as requests give it. */
  get position() {
    return this.#asked(this.moves.slice(0, this.ply), this.state);
  }

  /** What the oracle is asked about the board: the game, the state, and the position as requests give it. */
  get question() {
    return { game: this.game, state: this.state, position: this.position };
  }

  /** What the oracle is asked about the board after a move. */
  questionAfter(move) {
    const state = this.game.play(this.state, move);
    return { game: this.game, state, position: this.#asked([...this.moves.slice(0, this.ply), move], state) };
  }

  /** The whole game, also what was undone, as requests give it; null if it began from a board that was set up. */
  get record() {
    return this.setup ? null : this.#asked(this.moves);
  }

  /** Who is to move. */
  get player() {
    return this.game.playerOf(this.state);
  }

  /** Whether a person has this move. */
  get isYours() {
    return this.#isYours(this.ply);
  }

  /** Whether the oracle answers by itself: it is to move, and no moves were taken back that it would overwrite. */
  get isOracles() {
    return this.isInProgress && !this.isYours && this.ply === this.moves.length;
  }

  get canUndo() {
    return this.#before() !== null;
  }

  get canRedo() {
    return this.ply < this.moves.length;
  }

  /** Plays a move, if it is legal; what had been taken back is forgotten. */
  play(move) {
    if (!this.game.isLegal(this.state, move)) return false;
    this.moves = [...this.moves.slice(0, this.ply), move];
    this.#states = [...this.#states.slice(0, this.ply + 1), this.game.play(this.state, move)];
    this.#become({ ply: this.moves.length });
    return true;
  }

  /** Takes back to the last position in which a person was to move. */
  undo() {
    this.go(this.#before() ?? this.ply);
  }

  /** Plays again what was taken back, up to the next position in which a person is to move. */
  redo() {
    let ply = Math.min(this.ply + 1, this.moves.length);
    while (ply < this.moves.length && !this.#isYours(ply)) ply += 1;
    this.go(ply);
  }

  /** Shows the position after a number of plies. */
  go(ply) {
    this.#become({ ply: Math.max(0, Math.min(ply, this.moves.length)) });
  }

  /** Shows the position after a number of plies of another line from the same start. */
  follow(moves, ply) {
    this.moves = moves;
    this.#states = this.game.follow(this.#states[0], moves);
    this.go(ply);
  }

  /** A new game; an empty board of this game or another if nothing else is said. */
  restart({ game = this.game, setup = null, moves = [], ply = moves.length, ...changes } = {}) {
    Object.assign(this, { game, setup, seed: null, chance: newSeed(), ...changes });
    this.#take(moves);
    this.#become({ ply: Math.min(ply, this.moves.length) });
  }

  /** Changes the mode, sides, skill or hints. */
  set(changes) {
    this.#become(changes);
  }

  #take(moves) {
    const { game, setup } = this;
    const start = setup ? game.setUp(setup) : game.start();
    this.#states = game.follow(start, moves);
    this.refused = moves[this.#states.length - 1]; // the first move that is not legal
    this.moves = moves.slice(0, this.#states.length - 1);
  }

  #asked(moves, state) {
    const { game } = this;
    if (!this.setup) return { game: game.asked, moves: game.written(moves) };
    return { game: game.asked, board: game.textOf(state), player: game.playerOf(state) };
  }

  #become(changes) {
    Object.assign(this, changes);
    this.dispatchEvent(new Event("change"));
  }

  #isYours(ply) {
    return this.you === "both" || this.you === SIDES[this.#states[ply].turn];
  }

  #before() {
    for (let ply = this.ply - 1; ply >= 0; ply -= 1) if (this.you === "none" || this.#isYours(ply)) return ply;
    return null;
  }
}

export const MOST_SEED = 2 ** 32 - 1;

/** A number that decides the oracle's chances in one match. */
export function newSeed() {
  return crypto.getRandomValues(new Uint32Array(1))[0];
}
