// The explorer: the next two plies, each move as a small board with its value, which leads there.

import { badge } from "./analysis.js";
import { button, element, miniature } from "../board/drawing.js";
import { analyse } from "../oracle/oracle.js";
import { canonical } from "../game/symmetry.js";
import { texts } from "../words/texts.js";
import { inWords, named, spokenPlayer } from "../words/words.js";

const [MOST_MOVES, MOST_REPLIES] = [5, 3];

/** The tree in `root`. */
export class Tree {
  #root;

  constructor(root) {
    this.#root = root;
  }

  /** Says why there is nothing to show. */
  say(text) {
    this.#root.replaceChildren(element("p", { className: "quiet", textContent: text }));
  }

  /**
   * Shows the best moves of an analysed state of a game and the best replies to each; the question `after` each is
   * searched for so long. `play` is told the moves that lead to a board that was chosen; `longer` searches on, unless it is null.
   */
  async show({ game, state, after, play, longer }, analysis, timeMs, signal) {
    const all = alike(game, state, analysis.moves);
    const shown = all.slice(0, MOST_MOVES);
    this.#root.setAttribute("aria-busy", "true");
    const answers = await Promise.all(
      shown.map(({ move, next }) => (next.status === "in_progress" ? analyse(after(move), timeMs, signal) : { moves: [] })),
    );
    const branches = shown.map((each, index) => branch(game, state, each, answers[index].moves, play));
    const isProven = [analysis, ...answers].every(({ moves }) => moves.every(({ outcome }) => outcome !== "unknown"));
    this.#root.replaceChildren(
      element("p", { className: "quiet", textContent: explained(game, state) }),
      ...(isProven ? [] : [element("div", { className: "unproven" }, element("p", { textContent: texts.treeUnproven }), longer && button(texts.searchLonger, longer))]),
      element("ul", { className: "branches", tabIndex: 0, ariaLabel: texts.movesOf({ player: spokenPlayer(game.playerOf(state)) }) }, ...branches, rest(all, MOST_MOVES)),
    );
    this.#root.removeAttribute("aria-busy");
  }
}

/**
 * Valued moves in groups that lead to the same position but for symmetry, in the order in which they came: the first
 * `move` of each with its `value`, the state that comes `next`, and how many moves are in it.
 */
function alike(game, state, values) {
  const groups = new Map();
  for (const value of values) {
    const move = game.moveIn(value);
    const next = game.play(state, move);
    const key = canonical(game, next);
    if (groups.has(key)) groups.get(key).number += 1;
    else groups.set(key, { move, value, next, number: 1 });
  }
  return [...groups.values()];
}

function branch(game, state, option, replies, play) {
  const { move, next } = option;
  const all = alike(game, next, replies);
  const leaves = all.slice(0, MOST_REPLIES).map((reply) => element("li", {}, node(game, next, reply, () => play([move, reply.move]))));
  const list = element("ul", { className: "replies", ariaLabel: texts.repliesOf({ player: spokenPlayer(game.playerOf(next)) }) }, ...leaves, rest(all, MOST_REPLIES));
  return element("li", { className: "branch" }, node(game, state, option, () => play([move])), leaves.length > 0 && list);
}

function node(game, state, { move, value, next, number }, onChoose) {
  const player = game.playerOf(state);
  const board = button("", onChoose, `node ${value.best ? "best" : ""}`);
  board.append(
    miniature(game, next.cells, next.newest),
    element(
      "span",
      {},
      element("span", { className: `player-${"XO"[state.turn]}`, textContent: game.marksArePlayers ? player : "●" }),
      ` ${game.moveName(state, move)} `,
      badge(value),
      element("span", { className: "unseen", textContent: ` ${spokenPlayer(player)} ${inWords(value)}` }),
      number > 1 && element("small", { textContent: ` ${texts.symmetric({ number: number - 1 })}` }),
    ),
  );
  return board;
}

function rest(groups, most) {
  const hidden = groups.slice(most).reduce((sum, { number }) => sum + number, 0);
  return hidden > 0 && element("li", { className: "rest quiet", textContent: texts.otherMoves({ number: hidden }) });
}

function explained(game, { turn }) {
  const [player, opponent] = [game.players[turn], game.players[1 - turn]];
  return texts.treeNote({ player: named(player), opponent: spokenPlayer(opponent) });
}
