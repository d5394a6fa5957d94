// A game given by its lines, on cells without a shape.

import { texts } from "../words/texts.js";
import { LineGame } from "./line.js";
import { numbers } from "../game/geometry.js";

const MOST_CELLS = 64;

export class OwnLines extends LineGame {
  static family = "lines";

  /** The parameters of such a game as the service would announce them, which has it as a form of line games. */
  static parameters = [
    { name: "cells", in_query: "cells", kind: "integer", minimum: 1, maximum: MOST_CELLS, default: null, example: 9 },
    { name: "lines", in_query: "lines", kind: "lines", minimum: 0, maximum: MOST_CELLS - 1, default: null, example: [[0, 1, 2], [0, 4, 8]] },
    { name: "misere", in_query: "misere", kind: "boolean", default: false, example: false },
  ];

  constructor({ parameters, ...description }) {
    super({ ...description, parameters: { ...parameters, rows: 1, columns: parameters.cells } });
  }

  /** A block that is about as wide as high. */
  get look() {
    const columns = Math.ceil(Math.sqrt(this.cells));
    return { size: [columns, Math.ceil(this.cells / columns)], places: numbers(this.cells).map((cell) => [cell % columns, Math.floor(cell / columns)]) };
  }

  get ownName() {
    return texts.ownLines;
  }
}
