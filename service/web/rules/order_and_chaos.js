// Order and Chaos: Order wants a line of equal marks, Chaos a full board without one.

import { IN_PROGRESS } from "../game/game.js";
import { Wild } from "./wild.js";

export class OrderAndChaos extends Wild {
  static family = "order-and-chaos";

  constructor(description) {
    super(description);
    this.players = description.parameters.first === "chaos" ? ["Chaos", "Order"] : ["Order", "Chaos"];
  }

  judge(state) {
    const line = this.anyLine(state);
    if (line) return this.won(this.players.indexOf("Order"), line);
    return state.cells.includes(null) ? IN_PROGRESS : this.won(this.players.indexOf("Chaos"));
  }
}
