// Three men's morris and its relatives: pieces are placed on points, then moved.

import { numbers } from "../game/geometry.js";
import { PlaceThenMove } from "./placing.js";

const SMALL = 9; // points of the square alone
const SQUARE = [[0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8]];
const DIAGONALS = [[0, 4, 8], [2, 4, 6]];
const CROSSINGS = [[0, 9, 4, 12, 8], [2, 10, 4, 11, 6], [1, 9, 3], [1, 10, 5], [3, 11, 7], [5, 12, 7]]; // of picaria
const BETWEEN = [[0.5, 0.5], [1.5, 0.5], [0.5, 1.5], [1.5, 1.5]]; // the points after the square
const CENTRE = 4;

export class Morris extends PlaceThenMove {
  static family = "morris";

  constructor(description) {
    const { points = SMALL, marks = 3, moves = "orthogonal", diagonals_win: diagonalsWin = true, stuck = "loss", centre = "open" } = description.parameters;
    const isLarge = points > SMALL;
    const triples = CROSSINGS.flatMap((line) => line.slice(2).map((_, start) => line.slice(start, start + 3)));
    const drawn = [...SQUARE, ...(moves === "diagonals" ? (isLarge ? CROSSINGS : DIAGONALS) : [])];
    super(description, isLarge ? { rows: 1, columns: points } : {}, {
      marks,
      stuck,
      middle: CENTRE,
      placed: centre,
      lines: [...SQUARE, ...(diagonalsWin ? (isLarge ? triples : DIAGONALS) : [])],
      near: neighbours(moves, points, drawn),
    });
    Object.assign(this, { points, drawn, numbered: isLarge });
  }

  get look() {
    const places = [...numbers(SMALL).map((point) => [point % 3, Math.floor(point / 3)]), ...BETWEEN].slice(0, this.points);
    return { size: [3, 3], places, marks: "piece", width: this.numbered ? 0.66 : 0.88, lines: this.drawn };
  }
}

function neighbours(moves, points, drawn) {
  const near = numbers(points).map(() => new Set());
  const isNear = (one, other) => Math.abs((one % 3) - (other % 3)) <= 1 && Math.abs(Math.floor(one / 3) - Math.floor(other / 3)) <= 1;
  for (const line of drawn) {
    line.slice(1).forEach((end, index) => near[line[index]].add(end) && near[end].add(line[index]));
  }
  const everywhere = (start) => numbers(points).filter((end) => end !== start && (moves === "fly" || isNear(start, end)));
  const found = near.map((ends, start) => (moves === "fly" || moves === "king" ? everywhere(start) : [...ends]));
  return found.map((ends) => ends.sort((one, other) => one - other));
}
