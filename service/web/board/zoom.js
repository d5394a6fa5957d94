// One of several small boards shown larger, where its cells are too small for a finger: one tap brings it near, the next plays.

const SMALL = 44; // the pixels of a cell that a finger hits without care
const AGAIN_MS = 400; // within which the second press of a double click comes, which was meant for another cell

export class Zoom {
  #root;
  #near = null; // the board that is shown larger
  #isFresh = false; // for a moment after that

  constructor(root) {
    this.#root = root;
  }

  /** Takes a tap on a cell of a board and shows that larger; or, if it is, lets all be seen again where the cell `isOpen` not. Returns whether that was all. */
  takes(board, cell, isOpen) {
    if (!this.#root.classList.contains("nested") || cell.offsetWidth >= SMALL) return false;
    if (this.#isFresh) return true;
    if (board === this.#near && isOpen) return false;
    if (board === this.#near) this.leave();
    else this.#show(board);
    return true;
  }

  /** Shows all boards. */
  leave() {
    this.#near = null;
    this.#root.classList.remove("near");
  }

  #show(board) {
    const across = Number(this.#root.style.getPropertyValue("--wide"));
    const places = [board % across, Math.floor(board / across)].map((place) => `${(100 * place) / (across - 1)}%`);
    this.#near = board;
    this.#isFresh = true;
    setTimeout(() => (this.#isFresh = false), AGAIN_MS);
    this.#root.style.transformOrigin = places.join(" ");
    this.#root.classList.add("near");
  }
}
