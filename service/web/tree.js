// The explorer: the next two plies, each move as a small board with its value, which leads there.

import { badge } from "./analysis.js";
import { button, element, miniature } from "./drawing.js";
import { analyse } from "./oracle.js";
import { canonical } from "./symmetry.js";
import { texts } from "./texts.js";
import { inWords } from "./words.js";

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
   * Shows the best moves of an analysed position and the best replies to each; the question `after` each is searched for
   * so long. `play` is told the moves that lead to a board that was chosen.
   */
  async show(game, { after, play }, marks, analysis, timeMs, signal) {
    const families = alike(game, marks, analysis.player, analysis.moves);
    const shown = families.slice(0, MOST_MOVES);
    this.#root.setAttribute("aria-busy", "true");
    const answers = await Promise.all(
      shown.map(([{ move }]) => analyse(after(move), timeMs, signal)),
    );
    const branches = shown.map((family, index) => branch(game, marks, analysis.player, family, answers[index], play));
    this.#root.replaceChildren(
      element("p", { className: "quiet", textContent: explained(analysis.player) }),
      element("ul", { className: "branches", tabIndex: 0, ariaLabel: texts.movesOf({ player: analysis.player }) }, ...branches, rest(families, MOST_MOVES)),
    );
    this.#root.removeAttribute("aria-busy");
  }
}

/** Moves in groups that lead to the same position but for symmetry, in the order in which they came. */
function alike(game, marks, player, moves) {
  const families = new Map();
  for (const move of moves) {
    const key = canonical(game, marks.with(move.move, player));
    families.set(key, [...(families.get(key) ?? []), move]);
  }
  return [...families.values()];
}

function branch(game, marks, player, family, answer, play) {
  const [{ move }] = family;
  const after = marks.with(move, player);
  const replier = opponentOf(player);
  const families = alike(game, after, replier, answer.moves);
  const leaves = families.slice(0, MOST_REPLIES).map((replies) =>
    element("li", {}, node(game, after.with(replies[0].move, replier), replier, replies, () => play([move, replies[0].move]))),
  );
  const replies = element("ul", { className: "replies", ariaLabel: texts.repliesOf({ player: replier }) }, ...leaves, rest(families, MOST_REPLIES));
  return element("li", { className: "branch" }, node(game, after, player, family, () => play([move])), leaves.length > 0 && replies);
}

function node(game, marks, player, family, onChoose) {
  const [move] = family;
  const board = button("", onChoose, `node ${move.best ? "best" : ""}`);
  board.append(
    miniature(game, marks, move.move),
    element(
      "span",
      {},
      element("span", { className: `player-${player}`, textContent: player }),
      ` ${game.cellName(move.move)} `,
      badge(move),
      element("span", { className: "unseen", textContent: ` ${player} ${inWords(move)}` }),
      family.length > 1 && element("small", { textContent: ` ${texts.symmetric({ number: family.length - 1 })}` }),
    ),
  );
  return board;
}

function rest(families, most) {
  const hidden = families.slice(most).flat().length;
  return hidden > 0 && element("li", { className: "rest quiet", textContent: texts.otherMoves({ number: hidden }) });
}

function explained(player) {
  return texts.treeNote({ player, opponent: opponentOf(player) });
}

function opponentOf(player) {
  return player === "X" ? "O" : "X";
}
