// Pop-out Connect Four: a player drops a disc, or takes one of their own out at the bottom.

import { DRAWN, Game, IN_PROGRESS } from "../game/game.js";
import { texts } from "../words/texts.js";
import { numbers } from "../game/geometry.js";

export class PopOut extends Game {
  static family = "pop-out";
  kind = "discs";
  loops = true;
  signs = { drop: "↓", pop: "↑" };

  constructor(description) {
    super(description, { in_a_row: 4, ...description.parameters });
    this.drop = this.columns;
    this.both = description.parameters.both ?? "mover-wins";
  }

  #bottom(column) {
    return this.cells - this.columns + column;
  }

  moves({ cells, turn }) {
    const drops = numbers(this.columns).filter((column) => cells[column] === null);
    const pops = numbers(this.columns).filter((column) => cells[this.#bottom(column)] === this.players[turn]);
    return [...drops.map((column) => `d${column}`), ...pops.map((column) => `p${column}`)];
  }

  options() {
    return ["drop", "pop"];
  }

  tap(state, cell, choice) {
    return { move: `${choice === "pop" ? "p" : "d"}${cell % this.columns}` };
  }

  markOf(state, choice) {
    return choice === "pop" ? null : this.playerOf(state);
  }

  change({ cells, turn }, move) {
    const column = Number(move.slice(1));
    const own = numbers(this.rows).map((row) => row * this.columns + column);
    const next = [...cells];
    if (move[0] === "d") {
      const cell = own.findLast((cell) => cells[cell] === null);
      next[cell] = this.players[turn];
      return { cells: next, newest: cell };
    }
    own.forEach((cell, row) => (next[cell] = row ? cells[own[row - 1]] : null));
    return { cells: next, newest: null };
  }

  judge(state, mover) {
    const other = 1 - mover;
    const [mine, theirs] = [mover, other].map((turn) => this.lineOf(state.cells, this.players[turn]));
    if (mine && theirs && this.both === "draw") return { ...DRAWN, isBoth: true };
    if (mine && (!theirs || this.both !== "opponent-wins")) return this.won(mover, mine);
    if (theirs) return this.won(other, theirs);
    return this.moves(state).length ? IN_PROGRESS : DRAWN;
  }

  get look() {
    return { marks: "disc", hasColumns: true };
  }

  cellOf(state, move) {
    return super.cellOf(state, move) ?? this.#bottom(Number(move.slice(1)));
  }

  moveName(state, move, words = texts) {
    const name = super.moveName(state, move);
    return move[0] === "p" ? words.pop({ column: name }) : name;
  }

  /** A pop is named as one, not as a column. */
  moveInWords(state, move) {
    return move[0] === "p" ? this.moveName(state, move) : super.moveInWords(state, move);
  }
}
