// Vanishing tic-tac-toe: a player keeps a number of marks, and the oldest one beyond it disappears.

import { DRAWN, Game, IN_PROGRESS } from "../game/game.js";
import { numbers } from "../game/geometry.js";

export class Vanishing extends Game {
  static family = "vanishing";
  loops = true;

  constructor(description) {
    super(description);
    const { marks = 3, remove = "before" } = description.parameters;
    Object.assign(this, { marks, remove });
  }

  start() {
    return { ...super.start(), ages: [[], []] };
  }

  setUp({ cells, turn, order }) {
    const ages = this.players.map((player) => order.filter((cell) => cells[cell] === player));
    const state = { ...this.start(), cells, turn, plies: order.length, ages };
    return { ...state, ...this.judge(state, 1 - turn), completer: this.players[1 - turn] };
  }

  textOf({ ages }) {
    return ages.map((cells, turn) => this.players[turn] + cells.join("-")).join("/");
  }

  readText(text) {
    const ages = text.match(/^X([\d-]*)\/O([\d-]*)$/)?.slice(1).map((cells) => cells.split("-").filter(Boolean).map(Number));
    const order = ages?.flat() ?? [];
    if (!ages || new Set(order).size < order.length || order.some((cell) => cell >= this.cells)) return null;
    return { cells: numbers(this.cells).map((cell) => this.players.find((_, turn) => ages[turn].includes(cell)) ?? null), order };
  }

  moves(state) {
    const oldest = this.remove === "before" ? this.#doomed(state.ages[state.turn]) : null;
    return numbers(this.cells).filter((cell) => state.cells[cell] === null || cell === oldest);
  }

  #doomed(cells) {
    return cells.length === this.marks ? cells[0] : null;
  }

  change({ cells, ages, turn }, cell) {
    const doomed = this.#doomed(ages[turn]);
    const written = cells.with(cell, this.players[turn]);
    const keeps = doomed === null || (this.remove === "after" && this.lineOf(written, this.players[turn]));
    const mine = [...(keeps ? ages[turn] : ages[turn].slice(1)), cell];
    const left = keeps || doomed === cell ? written : written.with(doomed, null);
    return { cells: left, newest: cell, ages: ages.with(turn, mine) };
  }

  judge(state, mover) {
    const fading = state.ages.map((cells) => this.#doomed(cells)).filter((cell) => cell !== null);
    const line = this.lineOf(state.cells, this.players[mover]);
    if (line) return { ...this.won(mover, line), fading: [] };
    return { ...(this.moves(state).length ? IN_PROGRESS : DRAWN), fading };
  }

}
