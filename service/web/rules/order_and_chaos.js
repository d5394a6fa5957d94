// Order and Chaos: Order wants a line of equal marks, Chaos a full board without one.

import { IN_PROGRESS } from "../game/game.js";
import { Wild } from "./wild.js";

export class OrderAndChaos extends Wild {
  static family = "order-and-chaos";

  constructor(description) {
    super(description);
    const { first, overlines = true } = description.parameters;
    this.players = first === "chaos" ? ["Chaos", "Order"] : ["Order", "Chaos"];
    this.overlines = overlines;
  }

  judge(state) {
    const isFull = !state.cells.includes(null);
    const line = (isFull || this.overlines) && this.anyLine(state);
    if (line) return this.won(this.players.indexOf("Order"), line);
    return isFull ? this.won(this.players.indexOf("Chaos")) : IN_PROGRESS;
  }
}
