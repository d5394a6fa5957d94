// The oracle: the service; and while it is gone the solver of this page, for what it can prove.

import * as api from "./api.js";
import { connection } from "./connection.js";

const MOVE_MS = 1500; // the oracle's time for a move
const SEEN_MS = 350; // how long a move is seen before the oracle answers it
export const BRIEF_MS = 2500; // an analysis during play

const solvers = new WeakMap(); // by game
let allowed = null; // the promise of what the service allows

/** The move at this skill, for a question of a match; the same seed gives the same move. */
function bestMove({ game, state, position }, chance, timeMs, signal) {
  const find = (solver, { pick }) => {
    const analysis = solver.analyse(state);
    return analysis && (chance.skill < 100 ? pick(analysis, chance) : solver.hardest(state, analysis));
  };
  return answer(async () => api.bestMove(position, { ...chance, timeMs: await within(timeMs) }, signal), () => solve(game, find), signal);
}

/** The oracle's move in a match: in its own place as strong as it was set, in a person's place as well as it can. */
export async function reply(match, signal, known = null) {
  const chance = { skill: match.isYours ? 100 : match.skill, seed: (match.chance + match.ply) % 2 ** 32 };
  const [answer] = await Promise.all([known ?? bestMove(match.question, chance, MOVE_MS, signal), pause(SEEN_MS), solver()]);
  return answer;
}

/** Every legal move with its value; `onProgress` gets the progress of a long search. */
export function analyse({ game, state, position }, timeMs, signal, onProgress) {
  return answer(async () => api.analyse(position, await within(timeMs), signal, onProgress), () => solve(game, (own) => own.analyse(state)), signal);
}

/** A match without a set-up board, judged ply by ply. */
export function review({ game, states, moves, record }, timeMs, signal) {
  return answer(async () => api.review(record, await within(timeMs), signal), () => solve(game, (own) => own.review(states, moves)), signal);
}

async function answer(ask, solve, signal) {
  const known = connection.isGone ? await solve() : null;
  if (known) return known;
  try {
    return await ask();
  } catch (error) {
    const found = connection.isGone && !signal.aborted && (await solve());
    if (!found) throw error;
    return found;
  }
}

/** What `find` makes of the solver of a game, which remembers what it has proven; null for games that may never end. */
async function solve(game, find) {
  const found = game.loops ? null : await solver();
  if (!found) return null;
  if (!solvers.has(game)) solvers.set(game, new found.Solver(game));
  return find(solvers.get(game), found);
}

/** The module of the solver, which a match loads before the service may be gone; null if it is. */
function solver() {
  return import("./solver.js").catch(() => null);
}

/** The time for a search, as far as the service allows it. */
async function within(timeMs) {
  allowed ??= api.version().catch((error) => {
    allowed = null;
    throw error;
  });
  return Math.min(timeMs, (await allowed).max_time_ms);
}

function pause(ms) {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
