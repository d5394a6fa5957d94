// The evaluation at a glance: the bar beside the board, and the history of values by ply.

import { svg } from "../board/drawing.js";
import { texts } from "../words/texts.js";
import { inWords, sign } from "../words/values.js";
import { named, spokenPlayer } from "../words/words.js";

const [WIDTH, HEIGHT, MARGIN] = [320, 84, 10];
const LEAST = 0.35; // how far from the middle the slowest win is drawn, so that none looks like a draw

/** The bar in `root`: solid where the value is proven, hatched where it is an estimate, empty where it is not shown. */
export class Bar {
  #root;

  constructor(root) {
    this.#root = root;
  }

  /** Shows a value for the player with this index; null hides it. `label` describes the picture. */
  show(value, turn, label) {
    const root = this.#root;
    root.classList.toggle("shown", Boolean(value));
    root.ariaLabel = label;
    if (!value) return;
    const isProven = value.outcome !== "unknown";
    const forMover = isProven ? sign(value.outcome) : (value.estimate ?? 0);
    const forFirst = turn === 0 ? forMover : -forMover;
    root.classList.toggle("estimate", !isProven);
    root.style.setProperty("--share", String((1 + forFirst * (isProven ? 1 : 0.9)) / 2));
  }
}

/**
 * The history in `root`: each ply a dot, the nearer the end the farther from the middle. `onGo` gets a ply that was
 * chosen, `onPeek` one that is pointed at, or null.
 */
export class History {
  #root;
  #onGo;
  #onPeek;
  #last = 1;
  #tell = () => ""; // what is known of a ply
  #peek = svg("g", {});
  #peeked = null; // the ply that is pointed at

  constructor(root, onGo, onPeek) {
    this.#root = root;
    this.#onGo = onGo;
    this.#onPeek = onPeek;
    root.addEventListener("click", (event) => this.#onGo(this.#plyAt(event)));
    root.addEventListener("pointermove", (event) => event.pointerType !== "touch" && this.#lookAt(this.#plyAt(event)));
    root.addEventListener("pointerleave", () => this.#lookAt(null));
  }

  #plyAt({ clientX }) {
    const { left, width } = this.#root.getBoundingClientRect();
    const along = ((clientX - left) / width) * WIDTH;
    return Math.max(0, Math.min(this.#last, Math.round(((along - MARGIN) / (WIDTH - 2 * MARGIN)) * this.#last)));
  }

  #lookAt(ply) {
    if (ply === this.#peeked) return;
    this.#peeked = ply;
    this.#drawPeek();
    this.#onPeek(ply);
  }

  /** Shows the value of the ply at the pointer, beside a line through it. */
  #drawPeek() {
    const ply = this.#peeked;
    if (ply === null) return this.#peek.replaceChildren();
    const x = this.#x(ply);
    const [anchor, aside] = x < WIDTH / 2 ? ["start", 5] : ["end", -5];
    this.#peek.replaceChildren(svg("line", { class: "peek", x1: x, x2: x, y2: HEIGHT }), svg("text", { class: "told", x: x + aside, y: HEIGHT / 2 + 3, "text-anchor": anchor }, this.#tell(ply)));
  }

  /**
   * Shows `values` by numbers of plies, each for the player with its `turn`; unknown ones are left out.
   * `moveTo` returns the name of the move to a ply.
   */
  show(game, values, ply, count, { verdictOn, moveTo }) {
    this.#last = Math.max(count, 1);
    this.#tell = (index) => [index ? `${index}. ${moveTo(index)}` : "0", values.has(index) && told(game, values.get(index))].filter(Boolean).join(": ");
    const heights = Array.from({ length: count + 1 }, (_, index) => (values.has(index) ? this.#height(game, values.get(index)) : null));
    const path = heights.map((y, index) => (y === null ? "" : `${heights[index - 1] == null ? "M" : "L"}${this.#x(index)} ${y}`)).join("");
    const points = heights.map((y, index) => this.#point(index, y, values.get(index), verdictOn(index)));
    const [first, second] = game.players;
    const x = this.#x(ply);
    this.#root.replaceChildren(
      svg("rect", { class: "for-X", width: WIDTH, height: HEIGHT / 2 }),
      svg("rect", { class: "for-O", y: HEIGHT / 2, width: WIDTH, height: HEIGHT / 2 }),
      svg("line", { class: "cursor", x1: x, x2: x, y2: HEIGHT }),
      svg("path", { class: "values", d: path }),
      ...points,
      svg("text", { x: MARGIN + 6, y: 11 }, texts.playerWins({ player: named(game, first) })),
      svg("text", { x: MARGIN + 6, y: HEIGHT - 4 }, texts.playerWins({ player: named(game, second) })),
      this.#peek,
    );
    this.#drawPeek();
    Object.assign(this.#root, { ariaValueMax: count, ariaValueNow: ply, ariaValueText: this.#tell(ply) });
    this.#root.ariaLabel = texts.history({ player: spokenPlayer(game, first), values: [...values].map(([index, value]) => `${index}: ${told(game, value)}`).join(", ") || texts.unknown });
  }

  #point(index, y, value, verdict) {
    if (y === null) return svg("circle", { class: "tick", cx: this.#x(index), cy: HEIGHT / 2, r: 1.5 });
    const forFirst = value.outcome === "unknown" ? "unknown" : ["O", "draw", "X"][1 + sign(value.outcome) * (value.turn ? -1 : 1)];
    return svg("circle", { class: `point for-${forFirst}-dot ${verdict ?? ""}`, cx: this.#x(index), cy: y, r: verdict === "mistake" ? 5.5 : 4 });
  }

  #x(ply) {
    return MARGIN + (ply / this.#last) * (WIDTH - 2 * MARGIN);
  }

  #height(game, { outcome, estimate, score, turn }) {
    const size = Math.min(1, Math.abs(score ?? 0) / (game.cells || 1));
    const forMover = outcome === "unknown" ? (estimate ?? 0) * LEAST : sign(outcome) * (LEAST + (1 - LEAST) * size);
    return HEIGHT / 2 - forMover * (turn ? -1 : 1) * (HEIGHT / 2 - MARGIN);
  }
}

/** Who wins, or what else a value is. */
function told(game, value) {
  if (value.outcome === "draw") return texts.drawn;
  if (value.outcome === "unknown") return inWords(value);
  const isForMover = value.outcome === "win";
  return texts.playerWins({ player: named(game, game.players[isForMover ? value.turn : 1 - value.turn]) });
}
