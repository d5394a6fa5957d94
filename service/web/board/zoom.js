// One of several small boards shown larger, where its cells are too small for a finger: one tap brings it near, the next plays.

const SMALL = 44; // the pixels of a cell that a finger hits without care
const AGAIN_MS = 400; // within which the second press of a double click comes, which was meant for another cell

/** What is shown of the boards in `root`: all of them, or one larger. */
export class Zoom {
  #root;
  #near = null; // the board that is shown larger
  #isFresh = false; // for a moment after that

  constructor(root) {
    this.#root = root;
  }

  /**
   * Takes a tap on a cell of a `board`, one of a square of `across` in a row; returns false if the tap shall play. A tap on
   * small cells shows their board larger; there one on a cell that is not open shows all boards again.
   */
  takes(cell, { board, across, isOpen }) {
    if (!across || cell.offsetWidth >= SMALL) return false;
    if (this.#isFresh) return true;
    if (board === this.#near && isOpen) return false;
    if (board === this.#near) this.leave();
    else this.#show(board, across);
    return true;
  }

  /** Shows all boards when the focus leaves the one that is near. */
  visit(board) {
    if (board !== this.#near) this.leave();
  }

  /** Shows all boards. */
  leave() {
    this.#near = null;
    this.#root.classList.remove("near");
  }

  #show(board, across) {
    const places = [board % across, Math.floor(board / across)].map((place) => `${(100 * place) / (across - 1)}%`);
    this.#near = board;
    this.#isFresh = true;
    setTimeout(() => (this.#isFresh = false), AGAIN_MS);
    this.#root.style.transformOrigin = places.join(" ");
    this.#root.classList.add("near");
  }
}
