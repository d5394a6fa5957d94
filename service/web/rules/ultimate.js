// Ultimate tic-tac-toe: nine small boards; the cell of a move is the board on which the opponent plays next.

import { DRAWN, Game, IN_PROGRESS } from "../game/game.js";
import { lazily, numbers, straightLines } from "../game/geometry.js";

const SIZE = 9; // cells of a board, and boards
const TEXT = /^([XO./]+)(?:;([0-8*])(?:;([XO.]{9}))?)?$/;

export class Ultimate extends Game {
  static family = "ultimate";
  hasLines = false;
  boards = SIZE;
  mostCells = SIZE * SIZE;

  constructor(description) {
    const { finished = "closed", full_board: full = "draw", misere = false } = description.parameters;
    super(description, { rows: 3, columns: 3, layers: SIZE, misere });
    Object.assign(this, { isClosed: finished === "closed", counts: full === "most-boards" });
    lazily(this, "three", () => straightLines({ rows: 3, columns: 3 }, 3));
  }

  start() {
    return { ...super.start(), owners: Array(SIZE).fill(null), forced: null, lit: numbers(SIZE) };
  }

  /** A position that was set up; where the board to play in is not given, it is free to choose. */
  setUp({ cells, turn, forced = null, owners = null }) {
    const owned = numbers(SIZE).map((board) => owners?.[board] ?? this.players.find((player) => this.#hasLine(cells, board, player)) ?? null);
    const state = { ...this.start(), cells, turn, plies: cells.filter(Boolean).length, owners: owned, forced };
    return { ...state, ...this.judge(state, 1 - turn), completer: this.players[1 - turn] };
  }

  textOf({ cells, owners, forced }) {
    const boards = numbers(SIZE).map((board) => this.#board(cells, board).map((mark) => mark ?? ".").join(""));
    const isUnclear = numbers(SIZE).some((board) => this.players.every((player) => this.#hasLine(cells, board, player)));
    return [boards.join("/"), forced ?? "*", ...(isUnclear ? [owners.map((owner) => owner ?? ".").join("")] : [])].join(";");
  }

  readText(text) {
    const [, boards = "", forced = "*", owned = null] = text.match(TEXT) ?? [];
    const found = super.readText(boards.replaceAll("/", ""));
    const owners = owned && [...owned].map((owner) => (owner === "." ? null : owner));
    return found && { ...found, forced: forced === "*" ? null : Number(forced), owners };
  }

  #board(cells, board) {
    return cells.slice(board * SIZE, (board + 1) * SIZE);
  }

  #hasLine(cells, board, player) {
    return Boolean(this.lineOf(this.#board(cells, board), player, this.three));
  }

  #isOpen({ cells, owners }, board) {
    return !(this.isClosed && owners[board]) && this.#board(cells, board).includes(null);
  }

  #playable(state) {
    return numbers(SIZE).filter((board) => (state.forced ?? board) === board && this.#isOpen(state, board));
  }

  moves(state) {
    const playable = this.#playable(state);
    return this.free(state).filter((cell) => playable.includes(this.layerOf(cell))).map((cell) => this.#name(cell));
  }

  #name(cell) {
    return `${this.layerOf(cell)}.${cell % SIZE}`;
  }

  tap(state, cell) {
    return { move: this.#name(cell) };
  }

  change(state, move) {
    const [board, cell] = move.split(".").map(Number);
    const player = this.players[state.turn];
    const cells = state.cells.with(board * SIZE + cell, player);
    const owner = state.owners[board] ?? (this.#hasLine(cells, board, player) ? player : null);
    const after = { cells, owners: state.owners.with(board, owner), newest: board * SIZE + cell };
    return { ...after, forced: this.#isOpen(after, cell) ? cell : null };
  }

  /** How the game stands; the page lights the boards that can be played on, in the end those in a row. */
  judge(state) {
    for (const [turn, player] of this.players.entries()) {
      const row = this.lineOf(state.owners, player, this.three);
      if (row) return { ...this.won(turn), row: player, lit: row.cells };
    }
    const lit = this.#playable(state);
    if (lit.length) return { ...IN_PROGRESS, lit };
    const [x, o] = this.players.map((player) => state.owners.filter((owner) => owner === player).length);
    return { ...(this.counts && x !== o ? this.won(x > o ? 0 : 1) : DRAWN), lit };
  }

  endedBy({ row }) {
    return row ? "boardsInARow" : this.counts ? "mostBoards" : "boardsFinished";
  }

  get look() {
    return { isDeep: false, across: 3 };
  }
}
