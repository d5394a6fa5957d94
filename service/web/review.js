// The review: the moves with their verdicts, the curve of the evaluation, what each player gave away.

import { element, svg } from "./drawing.js";
import { playerAt } from "./game.js";
import { sign } from "./words.js";

const [WIDTH, HEIGHT, MARGIN] = [320, 130, 8];
const LEAST = 0.3; // how far from the middle the slowest win is drawn, so that none looks like a draw
const GLYPHS = { best: "✓", slower: "~", mistake: "?!", unknown: "…" };

/** The list of moves in `root`; `onGo` is told a ply that was chosen. */
export class Sheet {
  #root;
  #onGo;

  constructor(root, onGo) {
    this.#root = root;
    this.#onGo = onGo;
  }

  /** Shows the moves, the one at `ply` as the present one, with the verdicts of a report if there is one. */
  show(game, cells, ply, report) {
    const { scrollTop } = this.#root;
    const held = this.#root.contains(document.activeElement) ? [...this.#root.querySelectorAll("button")].indexOf(document.activeElement) : -1;
    this.#root.replaceChildren(...cells.map((cell, index) => this.#item(game, cell, index, ply, report?.plies[index])));
    this.#root.scrollTop = scrollTop;
    this.#root.querySelectorAll("button")[held]?.focus({ preventScroll: true });
    this.#reveal();
  }

  /** Scrolls the present move into sight, and nothing but the list. */
  #reveal() {
    const present = this.#root.querySelector("[aria-current]")?.parentElement;
    if (!present) return;
    const { offsetTop: top, offsetHeight: height } = present;
    const { scrollTop, clientHeight } = this.#root;
    if (top < scrollTop) this.#root.scrollTop = top;
    else if (top + height > scrollTop + clientHeight) this.#root.scrollTop = top + height - clientHeight;
  }

  #item(game, cell, index, ply, judged) {
    const label = `${index + 1}, ${playerAt(index)} ${game.moveName(cell)}${judged ? `, ${judged.verdict}` : ""}`;
    const go = element(
      "button",
      { type: "button", ariaLabel: label, className: judged?.verdict ?? "" },
      element("span", { className: "number", textContent: index + 1 }),
      element("span", { className: `player-${playerAt(index)}`, textContent: playerAt(index) }),
      element("span", { className: "name", textContent: game.cellName(cell) }),
      judged && element("span", { className: "glyph", textContent: `${GLYPHS[judged.verdict]} ${judged.verdict}` }),
    );
    if (index + 1 === ply) go.ariaCurrent = "step";
    go.addEventListener("click", () => this.#onGo(index + 1));
    return element("li", {}, go);
  }
}

/** The review in `root`; `onGo` is told a ply that was chosen on the curve. */
export class Review {
  #root;
  #onGo;
  #game;
  #report = null;

  constructor(root, onGo) {
    this.#root = root;
    this.#onGo = onGo;
  }

  /** What the review shows, or null. */
  get report() {
    return this.#report;
  }

  /** Says that it is being made. */
  wait() {
    this.#report = null;
    const text = "Searching the position before each move; a long game may take some seconds.";
    this.#root.replaceChildren(element("progress", { ariaLabel: "Reviewing" }), element("p", { className: "quiet", textContent: text }));
  }

  /** Shows nothing. */
  clear() {
    this.#report = null;
    this.#root.replaceChildren();
  }

  /** Shows a report, opened at a ply. */
  show(game, report, ply) {
    this.#game = game;
    this.#report = report;
    const last = report.plies.length;
    const range = element("input", { type: "range", min: 0, max: last, id: "review-ply", ariaLabel: "Ply of the review" });
    range.addEventListener("input", () => this.#onGo(Number(range.value)));
    this.#root.replaceChildren(
      this.#accuracies(),
      element("figure", { className: "curve" }, this.#curve(), range),
      element("p", { id: "review-now", className: "now" }),
      this.#mistakes(),
    );
    this.at(ply);
  }

  /** Marks a ply on the curve and tells what was judged there. */
  at(ply) {
    if (!this.#report) return;
    const range = this.#root.querySelector("input");
    range.value = ply;
    range.ariaValueText = ply ? this.#told(this.#report.plies[ply - 1]) : "The empty board";
    this.#root.querySelector("#review-now").textContent = range.ariaValueText;
    const x = this.#x(ply);
    const cursor = this.#root.querySelector(".cursor");
    for (const end of ["x1", "x2"]) cursor.setAttribute(end, x);
  }

  #told(judged) {
    const { ply, player, move, verdict, gave_away: gaveAway, best_moves: better, reason } = judged;
    const instead = verdict === "best" || !better.length ? "" : ` Best was ${this.#game.choiceName(better)}.`;
    const lost = gaveAway ? ` (${gaveAway})` : "";
    const said = { best: "best", slower: "slower", mistake: "a mistake", unknown: "not proven" }[verdict];
    return `Ply ${ply}, ${player} ${this.#game.moveName(move)}: ${said}${lost}. ${reason}${instead}`;
  }

  #accuracies() {
    const { accuracy, proven } = this.#report;
    const told = ["X", "O"].map((player) => {
      const figure = accuracy[player] === null ? "not judged" : `${accuracy[player]} %`;
      return element("span", {}, element("b", { className: `player-${player}`, textContent: player }), ` ${figure}`);
    });
    const doubt = !proven && " Not every move was judged.";
    return element("p", { className: "accuracy" }, element("b", { textContent: "Accuracy " }), ...told, doubt);
  }

  #mistakes() {
    const { plies, turning_point: turningPoint, proven } = this.#report;
    const mistakes = plies.filter(({ verdict }) => verdict === "mistake");
    if (!mistakes.length) return element("p", { textContent: proven ? "Neither player made a mistake." : "No mistake was found." });
    const items = mistakes.map((judged) => {
      const go = element("button", { type: "button", className: "mistake", textContent: this.#told(judged) });
      go.addEventListener("click", () => this.#onGo(judged.ply));
      const turning = judged.ply === turningPoint && element("b", { className: "turning", textContent: "Turning point" });
      return element("li", {}, turning, go);
    });
    return element("ul", { className: "mistakes" }, ...items);
  }

  #curve() {
    const last = this.#report.plies.length;
    const heights = [this.#height(this.#report.plies[0], "before"), ...this.#report.plies.map((judged) => this.#height(judged, "after"))];
    const path = heights.map((y, ply) => (y === null ? "" : `${heights[ply - 1] == null ? "M" : "L"}${this.#x(ply)} ${y}`)).join("");
    const points = heights.slice(1).map((y, index) => {
      const { verdict } = this.#report.plies[index];
      return svg("circle", { class: `point ${verdict}`, cx: this.#x(index + 1), cy: y ?? HEIGHT / 2, r: verdict === "mistake" ? 5 : 3 });
    });
    const words = [["X wins", 12], ["Draw", HEIGHT / 2 - 4], ["O wins", HEIGHT - 5]];
    const curve = svg(
      "svg",
      { class: "evaluation", viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": `Evaluation over ${last} plies, best for X at the top` },
      svg("rect", { class: "for-X", width: WIDTH, height: HEIGHT / 2 }),
      svg("rect", { class: "for-O", y: HEIGHT / 2, width: WIDTH, height: HEIGHT / 2 }),
      svg("line", { class: "middle", x2: WIDTH, y1: HEIGHT / 2, y2: HEIGHT / 2 }),
      ...words.map(([text, y]) => svg("text", { x: 4, y }, text)),
      svg("line", { class: "cursor", y2: HEIGHT }),
      svg("path", { class: "values", d: path }),
      ...points,
    );
    curve.addEventListener("click", ({ clientX }) => {
      const { left, width } = curve.getBoundingClientRect();
      const along = ((clientX - left) / width) * WIDTH;
      this.#onGo(Math.max(0, Math.min(last, Math.round(((along - MARGIN) / (WIDTH - 2 * MARGIN)) * last))));
    });
    return curve;
  }

  #x(ply) {
    return MARGIN + (ply / this.#report.plies.length) * (WIDTH - 2 * MARGIN);
  }

  /** How high a value stands on the curve, X's wins at the top; null where it is not proven. */
  #height(judged, when) {
    const outcome = judged[`outcome_${when}`];
    if (outcome === "unknown") return null;
    const size = Math.abs(judged[`score_${when}`] ?? 0) / this.#game.cells;
    const forX = sign(outcome) * (LEAST + (1 - LEAST) * size) * (judged.player === "X" ? 1 : -1);
    return HEIGHT / 2 - forX * (HEIGHT / 2 - MARGIN);
  }
}
