// The tree of the lines that were looked at, the game first; each node has the `move` to it and the nodes that come `next`.

export class Variations {
  #start = null; // the first state of the match, which identifies the tree
  #root = null;

  /** The tree from the first state on. */
  get root() {
    return this.#root;
  }

  /** All lines to their ends, the game first. */
  get lines() {
    return ends(this.#root);
  }

  /** Takes the line of a match into the tree; a match from another start begins another tree, with these lines. */
  follow({ states: [start], moves }, lines = []) {
    if (start !== this.#start) {
      this.#start = start;
      this.#root = { move: null, next: [] };
      for (const line of lines) this.#take(line);
    }
    this.#take(moves);
  }

  /** The moves after some of a line: at each node the first way on. */
  after(moves) {
    return onwards(this.#at(moves));
  }

  /** Forgets the last of some moves with all that comes after it. */
  drop(moves) {
    const before = this.#at(moves.slice(0, -1));
    before.next = before.next.filter(({ move }) => move !== moves.at(-1));
  }

  #at(moves) {
    return moves.reduce((node, move) => node.next.find((each) => each.move === move), this.#root);
  }

  /** Forgets all lines, so that the next one is the game. */
  forget() {
    this.#start = null;
  }

  #take(moves) {
    let node = this.#root;
    for (const move of moves) {
      const known = node.next.find((each) => each.move === move);
      if (!known) node.next.push({ move, next: [] });
      node = known ?? node.next.at(-1);
    }
  }
}

/** The moves after a node, at each the first way on. */
export function onwards({ next: [first] }) {
  return first ? [first.move, ...onwards(first)] : [];
}

function ends({ next }) {
  return next.flatMap((node) => {
    const later = ends(node);
    return later.length ? later.map((line) => [node.move, ...line]) : [[node.move]];
  });
}
