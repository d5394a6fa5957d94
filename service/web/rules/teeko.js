// Teeko: four pieces each are placed, then moved like kings; four in a row or a square win.

import { numbers } from "../game/geometry.js";
import { PlaceThenMove } from "./placing.js";

const MARKS = 4;
const DIRECTIONS = [[0, 1], [1, 0], [1, 1], [1, -1]];

export class Teeko extends PlaceThenMove {
  static family = "teeko";

  constructor(description) {
    const { side = 5, squares = "small", centre = "open" } = description.parameters;
    const cells = numbers(side * side);
    const row = (cell) => Math.floor(cell / side);
    const isNear = (one, other) => Math.max(Math.abs(row(one) - row(other)), Math.abs((one % side) - (other % side))) === 1;
    super(description, { rows: side, columns: side }, {
      marks: MARKS,
      stuck: "loss",
      middle: side % 2 ? (cells.length - 1) / 2 : null,
      placed: centre,
      lines: [...rowsOf(side), ...squaresOf(side, squares === "all" ? side - 1 : 1)],
      near: cells.map((start) => cells.filter((end) => isNear(start, end))),
    });
  }
}

/** All rows, columns and diagonals of four cells. */
function rowsOf(side) {
  const fits = (cell, [down, right]) => {
    const [row, column] = [Math.floor(cell / side) + 3 * down, (cell % side) + 3 * right];
    return row < side && column < side && column >= 0;
  };
  return numbers(side * side).flatMap((cell) =>
    DIRECTIONS.filter((way) => fits(cell, way)).map(([down, right]) => numbers(MARKS).map((step) => cell + step * (side * down + right))),
  );
}

/** The corners of all squares with sides of at most `most` steps. */
function squaresOf(side, most) {
  return numbers(most).flatMap((less) => {
    const step = less + 1;
    const corners = numbers(side * side).filter((cell) => Math.max(Math.floor(cell / side), cell % side) + step < side);
    return corners.map((cell) => [cell, cell + step, cell + side * step, cell + (side + 1) * step]);
  });
}
