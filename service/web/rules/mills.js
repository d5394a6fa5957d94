// Six men's morris and its relatives: pieces are placed on points, then moved; three in a row on a side, a mill, take one.

import { Game, IN_PROGRESS } from "../game/game.js";
import { numbers } from "../game/geometry.js";
import { texts } from "../words/texts.js";

const FEWEST = 3; // pieces; a player with fewer has lost
const SIDE = 5; // points of the grid on which both squares are drawn
const PLACES = [[0, 0], [2, 0], [4, 0], [1, 1], [2, 1], [3, 1], [0, 2], [1, 2], [3, 2], [4, 2], [1, 3], [2, 3], [3, 3], [0, 4], [2, 4], [4, 4]];
const MILLS = [[0, 1, 2], [13, 14, 15], [0, 6, 13], [2, 9, 15], [3, 4, 5], [10, 11, 12], [3, 7, 10], [5, 8, 12]];
const JOINTS = [[1, 4], [6, 7], [8, 9], [11, 14]]; // lines between the squares
const NEAR = PLACES.map((_, point) => {
  const ends = [...MILLS, ...JOINTS].flatMap((line) => [line[line.indexOf(point) - 1], line.includes(point) ? line[line.indexOf(point) + 1] : undefined]);
  return [...new Set(ends)].filter((end) => end !== undefined).sort((one, other) => one - other);
});
const TEXT = /^([XO.]+);(\d)\/(\d)$/;

/** A state has the pieces in `hands`. A move is a point, or two with `>` between; then `x` and the point of a piece that is taken. */
export class Mills extends Game {
  static family = "mills";
  loops = true;
  hasLines = false;
  numbered = true;

  constructor(description) {
    super(description, { rows: 1, columns: PLACES.length });
    this.marks = description.parameters.marks ?? 6;
  }

  start() {
    return { ...super.start(), hands: [this.marks, this.marks] };
  }

  /** A position that was set up; where the pieces in hand are not given, none is, or on an empty board all are. */
  setUp({ cells, turn, hands = Array(2).fill(cells.some(Boolean) ? 0 : this.marks) }) {
    const plies = 2 * this.marks - hands[0] - hands[1];
    const state = { ...this.start(), cells, turn, plies, hands };
    return { ...state, ...this.judge(state), completer: this.players[1 - turn] };
  }

  textOf(state) {
    return `${super.textOf(state)};${state.hands.join("/")}`;
  }

  readText(text) {
    const [, points = text, ...hands] = text.match(TEXT) ?? [];
    const found = super.readText(points);
    return found && { ...found, ...(hands.length ? { hands: hands.map(Number) } : {}) };
  }

  moves(state) {
    const all = this.#actions(state).flatMap((action) => this.#taking(state, action).map((point) => ({ action, point })));
    return all.sort((one, other) => (one.point ?? -1) - (other.point ?? -1)).map(({ action, point }) => (point === null ? action : `${action}x${point}`));
  }

  #actions({ cells, turn, hands }) {
    const isFree = (point) => cells[point] === null;
    if (hands[turn]) return numbers(this.cells).filter(isFree).map(String);
    const mine = numbers(this.cells).filter((point) => cells[point] === this.players[turn]);
    return mine.flatMap((start) => NEAR[start].filter(isFree).map((end) => `${start}>${end}`));
  }

  /** The points from which an action may take a piece, which it then has to do; null alone if it takes none. */
  #taking(state, action) {
    const { cells, newest } = this.#act(state, action);
    const theirs = this.players[1 - state.turn];
    const isMill = (mill) => mill.every((point) => cells[point] === cells[mill[0]]);
    if (!MILLS.some((mill) => mill.includes(newest) && isMill(mill))) return [null];
    const pieces = numbers(this.cells).filter((point) => cells[point] === theirs);
    const free = pieces.filter((point) => !MILLS.some((mill) => mill.includes(point) && isMill(mill)));
    return free.length ? free : pieces;
  }

  tap(state, point, choice, from) {
    const isHeld = typeof from === "string"; // a move that has closed a mill, and waits for the piece to take
    if (isHeld && state.cells[point] === this.players[1 - state.turn]) return { move: `${from}x${point}`, cell: point };
    const start = isHeld ? this.originOf(from) : from;
    const isPlaced = state.hands[state.turn] > 0;
    if (!isPlaced && state.cells[point] === this.players[state.turn]) return { from: point === start ? null : point };
    const action = isPlaced ? String(point) : `${start}>${point}`;
    const isClosing = action !== from && this.#actions(state).includes(action) && this.#taking(state, action)[0] !== null;
    return isClosing ? { from: action } : action === from ? { from: null } : { move: action };
  }

  /** While a piece to take is chosen, the board with the move made, and those that can be taken. */
  during(state, from) {
    return typeof from === "string" ? { ...state, ...this.#act(state, from), takeable: this.#taking(state, from) } : state;
  }

  isOf(move, from) {
    return typeof from === "string" ? move.startsWith(`${from}x`) : super.isOf(move, from);
  }

  change(state, move) {
    const [action, taken] = move.split("x");
    const after = this.#act(state, action);
    return { ...after, cells: taken === undefined ? after.cells : after.cells.with(Number(taken), null) };
  }

  #act({ cells, turn, hands }, action) {
    const from = this.originOf(action);
    const end = Number(action.split(">").at(-1));
    const left = from === null ? cells : cells.with(from, null);
    return { cells: left.with(end, this.players[turn]), newest: end, from, hands: hands.with(turn, hands[turn] - (from === null ? 1 : 0)) };
  }

  judge(state) {
    const isOver = this.#left(state) < FEWEST || !this.#actions(state).length;
    return isOver ? this.won(1 - state.turn) : IN_PROGRESS;
  }

  #left({ cells, hands, turn }) {
    return hands[turn] + cells.filter((cell) => cell === this.players[turn]).length;
  }

  endedBy(state) {
    return this.#left(state) < FEWEST ? "tooFew" : "stuck";
  }

  told({ hands }) {
    return hands.some(Boolean) ? texts.inHand(hands) : "";
  }

  moveName(state, move, ...words) {
    const taken = move.split("x")[1];
    return super.moveName(state, move, ...words) + (taken === undefined ? "" : ` × ${this.cellName(Number(taken))}`);
  }

  get look() {
    return { size: [SIDE, SIDE], places: PLACES, marks: "piece", width: 0.9, lines: [...MILLS, ...JOINTS] };
  }

  /** All pieces are placed, and none has moved. */
  get typicalPlies() {
    return 2 * this.marks;
  }
}
