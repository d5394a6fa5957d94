// Puzzles: positions in which one move alone reaches the goal, move by move, and the streak of those solved at once.

import { button, element } from "../board/drawing.js";
import { Problem, puzzles } from "../oracle/api.js";
import { newSeed, SIDES } from "../game/match.js";
import { Mode } from "../play/mode.js";
import { remember, remembered } from "../play/preferences.js";
import { texts } from "../words/texts.js";
import { questionOf, reasonOf } from "../words/reasons.js";
import { aboutOf, nameOf } from "../words/translation.js";
import { named } from "../words/words.js";

/** What puzzles ask for, one kind after the other: each is found in less than a second. */
const KINDS = [
  ["connect-four", "win"],
  ["tic-tac-toe", "win"],
  ["connect-four-6x5", "win"],
  ["tic-tac-toe", "hold"],
  ["four-in-a-row-5x5", "win"],
  ["misere-tic-tac-toe", "win"],
  ["connect-four", "hold"],
  ["tic-tac-toe-3d", "win"],
  ["five-in-a-row-6x6", "hold"],
  ["connect-four-5x5", "win"],
  ["wrapped-tic-tac-toe-4x4", "win"],
  ["four-in-a-row-5x5", "hold"],
  ["wild-tic-tac-toe", "win"],
  ["three-mens-morris", "win"],
  ["notakto-2", "win"],
  ["ultimate-tic-tac-toe", "win"],
  ["quixo-3x3", "win"],
  ["order-and-chaos-6x6", "win"],
  ["tapatan", "win"],
  ["pop-out-4x4", "win"],
  ["picaria", "win"],
  ["snort-4x4", "win"],
].map(([game, goal]) => ({ game, goal }));
const PLIES = { win: { plies_at_least: 3, plies_at_most: 7 }, hold: { plies_at_least: 5, plies_at_most: 8 } }; // of best play

const MOST_TURNS = 8; // kinds that are searched for a puzzle as it was chosen

/** The mode "puzzles": a run of puzzles; `find` returns the game of an id; `onChoose` is called when other puzzles are wanted. */
export class Training extends Mode {
  #find;
  #onChoose;
  #puzzle = null;
  #game = null;
  #board = null; // the position of the puzzle, as a match sets it up
  #day = null; // the number of the day whose puzzle it is
  #plies = 0; // of its line that were played
  #isRight = null; // whether the last try was; null before the first one
  #isClean = true; // nothing wrong has been tried yet, and no value was seen

  constructor(find, onChoose) {
    super();
    this.#find = find;
    this.#onChoose = onChoose;
  }

  /** The puzzles that were solved at the first try, one after the other but for one slip. */
  get streak() {
    return remembered("streak", 0);
  }

  status({ game }) {
    return this.isClosed ? `✓ ${texts.solved}` : texts.puzzleToMove({ player: named(game, this.#puzzle.player) });
  }

  /** What is to be found, or how the last try was. */
  get prompt() {
    return `${this.#told} ${texts.streak({ number: this.streak, hasSlipped: remembered("slip", false) })}`;
  }

  /** Shows this with the rules of the game; what the puzzle was about when it is solved, and that of a day can be shared then. */
  show(root) {
    const { difficulty, themes } = this.#puzzle;
    const facts = [texts.difficulties[difficulty], ...(this.isClosed ? themes.map((theme) => texts.themes[theme]) : [])];
    root.replaceChildren(
      element("p", { textContent: this.prompt }),
      element("p", { className: "quiet" }, `${nameOf(this.#game)}: `, aboutOf(this.#game)),
      element("p", { className: "quiet", textContent: facts.join(" · ") }),
      this.#choices(),
      ...(this.isClosed && this.#day ? [button(texts.share, ({ currentTarget }) => this.#share(currentTarget))] : []),
    );
  }

  /** The opponent alone moves by itself. */
  moves({ ply, moves }) {
    return this.#plies % 2 === 1 && !this.isClosed && ply === moves.length;
  }

  /** The opponent's reply, in the form of an answer of the service; null if it is the solver's turn. */
  reply(match) {
    if (!this.moves(match)) return null;
    const move = this.#puzzle.solution.line[match.ply];
    return { move, pv: [move] };
  }

  /** A puzzle whose value was shown no longer counts. */
  wanted(match) {
    if (match.hints.size && !this.isClosed) this.#isClean = false;
    return match.hints.size > 0;
  }

  get #told() {
    if (this.#isRight === null) return questionOf(this.#game, this.#puzzle);
    if (!this.#isRight) return texts.wrong;
    return this.isClosed ? `${texts.right} ${reasonOf(this.#game, this.#puzzle.solution)}` : `${texts.right} ${texts.goOn}`;
  }

  get isClosed() {
    return this.#plies === this.#puzzle?.solution.line.length;
  }

  /** The game, the difficulty and the theme of the next puzzles, to be chosen. */
  #choices() {
    const games = [...new Set(KINDS.map(({ game }) => game))].map((id) => [id, nameOf(this.#find(id))]);
    const lists = { game: games, difficulty: Object.entries(texts.difficulties), theme: Object.entries(texts.themes) };
    const chosen = remembered("puzzles", {});
    const selects = Object.entries(lists).map(([name, options]) => {
      const all = [["", texts.anyPuzzle[name]], ...options].map(([value, textContent]) => element("option", { value, textContent, selected: value === (chosen[name] ?? "") }));
      const select = element("select", { ariaLabel: texts.puzzleChoice[name] }, ...all);
      select.addEventListener("change", () => {
        remember("puzzles", { ...remembered("puzzles", {}), [name]: select.value }); // another list may have changed since these were drawn
        this.#onChoose();
      });
      return select;
    });
    return element("div", { className: "share" }, ...selects);
  }

  /** A puzzle as it is wanted: of a chosen game, difficulty and theme, among several of one kind after the other. */
  async #search(seed, signal) {
    const { game: chosen, difficulty, theme } = remembered("puzzles", {});
    const kinds = KINDS.filter(({ game }) => !chosen || game === chosen);
    const isFree = !difficulty && !theme;
    for (let turn = 0; turn < MOST_TURNS; turn += 1) {
      const kind = kinds[(seed + turn) % kinds.length];
      const { puzzles: found } = await puzzles({ ...kind, ...PLIES[kind.goal], seed: seed + turn, count: isFree ? 1 : 10 }, signal);
      const puzzle = found.find((each) => (!difficulty || each.difficulty === difficulty) && (!theme || each.themes.includes(theme)));
      if (puzzle) return puzzle;
    }
    throw new Problem({ title: texts.noPuzzle, detail: texts.noPuzzleHint });
  }

  /** Takes up a puzzle: that of today, or after it one by chance that is as it was chosen, and returns its game, its board and who solves it. */
  async next(signal) {
    const today = dayNumber();
    const isDaily = remembered("daily", 0) !== today && !Object.values(remembered("puzzles", {})).some(Boolean);
    const puzzle = await this.#search(isDaily ? today : newSeed() >>> 1, signal);
    const game = this.#find(puzzle.game);
    if (!game) throw new Problem({ title: texts.noGame, detail: texts.noGameHere({ name: puzzle.game }) });
    if (isDaily) remember("daily", today);
    this.#puzzle = puzzle;
    this.#game = game;
    this.#day = isDaily ? today : null;
    this.#plies = 0;
    this.#isRight = null;
    this.#isClean = true;
    const { position, player } = this.#puzzle;
    const setup = { ...game.readText(position), turn: game.players.indexOf(player) };
    this.#board = setup;
    return { game, setup, mode: "puzzles", you: SIDES[setup.turn], hints: new Set() };
  }

  /** Ends when a match leaves the puzzle: for another board or side, or by a move that was not judged. */
  follow(match) {
    const { setup, you, moves, game } = match;
    if (this.#plies % 2 === 1 && moves.length > this.#plies && moves[this.#plies] === this.#moveAt(game, this.#plies)) this.#plies += 1;
    const isHere = setup === this.#board && you === SIDES[setup?.turn] && moves.length === this.#plies;
    if (!isHere) match.mode = "play";
  }

  /** Whether a move is the next one to find; keeps the streak. */
  accepts({ game, ply }, move) {
    if (this.isClosed) return false;
    this.#isRight = move === this.#moveAt(game, ply);
    if (this.#isRight) this.#plies = ply + 1;
    if (!this.#isRight && this.#isClean) slip();
    this.#isClean &&= this.#isRight;
    if (this.isClosed && this.#isClean) remember("streak", this.streak + 1);
    return this.#isRight;
  }

  #moveAt(game, ply) {
    return game.movesIn(this.#puzzle.solution.line)[ply];
  }

  /** Shares the puzzle of the day and how it went, but not its solution. */
  async #share(node) {
    const { position, player, difficulty } = this.#puzzle;
    const text = texts.sharedPuzzle({ day: String(this.#day), game: nameOf(this.#game), difficulty: texts.difficulties[difficulty], isClean: this.#isClean, streak: this.streak });
    const url = new URL(`/?game=${this.#game.id}&board=${position}&player=${player}`, location.href).href;
    if (navigator.share) return navigator.share({ text, url }).catch(() => {}); // the user has closed it
    await navigator.clipboard.writeText(`${text}\n${url}`).then(() => (node.textContent = texts.copied), () => {});
  }
}

/** One wrong try in a streak is forgiven; the next one ends it. */
function slip() {
  const isSecond = remembered("slip", false);
  if (isSecond) remember("streak", 0);
  remember("slip", !isSecond && remembered("streak", 0) > 0);
}

/** A number for the day by universal time, the same everywhere. */
function dayNumber() {
  return Number(new Date().toISOString().slice(0, 10).replaceAll("-", ""));
}
