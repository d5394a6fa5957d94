// Small games solved here: negamax with alpha-beta and a table of bounds. It proves what it says, or says nothing.

const MOST_NODES = 100_000; // of a search: about half a second
const MOST_STORED = 400_000; // positions of one game
const RANK = { win: 1, draw: 0, loss: -1 };

class TooLarge extends Error {}

/**
 * Solves positions of one game without loops. Every ply of such a game adds a mark, so a win at ply `p` of the game is
 * worth `cells + 1 - p` however it came about; a loss is its negative, a draw is 0. Values are for the player to move.
 */
export class Solver {
  #game;
  #bounds = new Map(); // [least, most] by position
  #order; // moves from those on most lines to those on fewest, which cuts off most
  #nodes = 0;

  constructor(game) {
    this.#game = game;
    const lines = Array(game.cells).fill(0);
    for (const { cells } of game.lines) for (const cell of cells) lines[cell] += 1;
    this.#order = (one, other) => (lines[other] ?? 0) - (lines[one] ?? 0);
  }

  /** The answer of `/analysis` about a state, as far as the page needs it; null where that is too large a search. */
  analyse(state) {
    return this.#within(() => this.#analysis(state));
  }

  /** The answer of `/review` about moves and the states between them; null where that is too large a search. */
  review(states, moves) {
    return this.#within(() => {
      const plies = moves.map((move, index) => judged(this.#game, states[index], this.#analysis(states[index]), move));
      const last = plies.findLast(({ verdict }) => verdict === "mistake");
      const accuracy = Object.fromEntries(this.#game.players.map((player) => [player, accuracyOf(plies, player)]));
      return { plies, accuracy, turning_point: last?.ply ?? null, proven: true };
    });
  }

  /**
   * The best move of an analysis that is hardest to answer, as the service chooses it; the first one if it wins, or if
   * the choice is too large a search.
   */
  hardest(state, { moves, outcome }) {
    const best = moves.filter((move) => move.best);
    if (best.length === 1 || outcome === "win") return best[0];
    const after = best.map((move) => this.#game.play(state, this.#game.moveIn(move)));
    const losses = this.#within(() => after.map((each) => this.#expectedLoss(each)));
    return losses ? best[losses.indexOf(Math.max(...losses))] : best[0];
  }

  #within(search) {
    this.#nodes = 0;
    if (this.#bounds.size > MOST_STORED) this.#bounds.clear();
    try {
      return search();
    } catch (error) {
      if (error instanceof TooLarge) return null;
      throw error;
    }
  }

  #analysis(state) {
    const player = this.#game.playerOf(state);
    const moves = this.#game.legal(state).map((move) => this.#judge(state, move));
    moves.sort((one, other) => other.score - one.score);
    const [best] = moves;
    for (const move of moves) move.best = move.score === best.score;
    const { outcome, score, plies } = best;
    const told = { player, outcome, score, plies, proven: true, exact: true, pv: this.#line(state), moves };
    return { ...told, threats: this.#game.threats?.(state) };
  }

  #judge(state, move) {
    const value = -this.#value(this.#game.play(state, move));
    const outcome = value > 0 ? "win" : value < 0 ? "loss" : "draw";
    const end = value ? this.#game.cells + 1 - Math.abs(value) : this.#game.cells;
    const plies = end - state.plies;
    const score = Math.sign(value) * (this.#game.cells + 1 - plies);
    const pv = [this.#game.listed(state, move)];
    return { pv, move: this.#game.cellOf(state, move), outcome, score, plies, proven: true, exact: true, reasons: [{ code: outcome, lines: [] }] };
  }

  /** What a player loses on average who sees a win by the next move of either player, and else plays at random. */
  #expectedLoss(state) {
    if (state.status !== "in_progress") return 0;
    const values = this.#game.legal(state).map((move) => -this.#value(this.#game.play(state, move)));
    const isSeen = (value) => this.#game.cells + 1 - Math.abs(value) - state.plies <= 2;
    const looks = values.map((value) => (isSeen(value) ? value : 0));
    const taken = values.filter((_, index) => looks[index] === Math.max(...looks));
    return -taken.reduce((sum, value) => sum + Math.sign(value), 0) / taken.length;
  }

  /** The moves of best play. */
  #line(state) {
    const moves = [];
    for (let at = state; at.status === "in_progress"; ) {
      const value = this.#value(at);
      const move = this.#game.legal(at).find((each) => -this.#value(this.#game.play(at, each)) === value);
      moves.push(this.#game.listed(at, move));
      at = this.#game.play(at, move);
    }
    return moves;
  }

  #value(state) {
    const most = this.#game.cells + 1;
    return this.#search(state, -most, most);
  }

  /** The value if it is between `alpha` and `beta`; else a bound of it on the same side. */
  #search(state, alpha, beta) {
    if (state.status !== "in_progress") return this.#ended(state);
    const key = `${state.turn}${state.cells.map((mark) => mark ?? ".").join()}`;
    const [least, most] = this.#bounds.get(key) ?? [-Infinity, Infinity];
    if (least === most || least >= beta) return least;
    if (most <= alpha) return most;
    this.#nodes += 1;
    if (this.#nodes > MOST_NODES) throw new TooLarge();
    let best = -Infinity;
    for (const move of this.#game.legal(state).sort(this.#order)) {
      best = Math.max(best, -this.#search(this.#game.play(state, move), -beta, -Math.max(alpha, best)));
      if (best >= beta) break;
    }
    this.#bounds.set(key, [best > alpha ? best : least, best < beta ? best : most]);
    return best;
  }

  #ended({ status, winner, turn, plies }) {
    if (status === "drawn") return 0;
    const worth = this.#game.cells + 1 - plies;
    return winner === this.#game.players[turn] ? worth : -worth;
  }
}

/** Picks a move of an analysis: the less skill, the more often a worse one. */
export function pick({ moves }, { skill, seed }) {
  const random = dice(seed);
  const care = (100 - skill) ** 2 / 1000;
  const worth = ({ outcome, plies }) => RANK[outcome] * (1 - plies / 100) + care * random();
  const judged = moves.map((move) => [worth(move), move]);
  return judged.reduce((one, other) => (other[0] > one[0] ? other : one))[1];
}

function judged(game, state, analysis, move) {
  const played = analysis.moves.find((each) => String(game.moveIn(each)) === String(move));
  const lost = RANK[analysis.outcome] - RANK[played.outcome];
  return {
    ply: state.plies + 1,
    player: analysis.player,
    move: played.move,
    best_moves: analysis.moves.filter(({ best }) => best).map(({ pv }) => pv[0]),
    outcome_before: analysis.outcome,
    outcome_after: played.outcome,
    score_before: analysis.score,
    score_after: played.score,
    verdict: lost > 0 ? "mistake" : played.best ? "best" : "slower",
    gave_away: lost > 0 ? `${analysis.outcome} -> ${played.outcome}` : null,
    worth: { outcome: played.outcome, plies: played.plies },
    kept: lost > 0 ? 1 - lost / 2 : played.best ? 1 : 0.9,
  };
}

/** The mean share that a player's moves keep, in per cent. */
function accuracyOf(plies, player) {
  const own = plies.filter((each) => each.player === player).map(({ kept }) => kept);
  return own.length ? Math.round((1000 * own.reduce((sum, kept) => sum + kept, 0)) / own.length) / 10 : null;
}

/** Numbers from 0 to 1 that a seed decides: mulberry32. */
function dice(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
