// Looks at a large picture through a small frame: drag, wheel, two fingers, buttons.

const [LEAST, MOST] = [0.04, 3];
const MARGIN = 44;
const BUTTONS = { width: 190, height: 80 }; // what the buttons in the upper right corner cover
const MILLISECONDS = 220;

export class Camera {
  #frame;
  #moved;
  #pointers = new Map();
  #going = 0;

  /** `moved` is called after each change; `isDragging` distinguishes a drag from a click. */
  constructor(frame, moved) {
    this.#frame = frame;
    this.#moved = moved;
    this.scale = 1;
    this.left = 0;
    this.top = 0;
    this.isDragging = false;
    frame.addEventListener("pointerdown", (event) => this.#down(event));
    frame.addEventListener("pointermove", (event) => this.#move(event));
    for (const name of ["pointerup", "pointercancel"]) frame.addEventListener(name, (event) => this.#pointers.delete(event.pointerId));
    frame.addEventListener("wheel", (event) => this.#wheel(event), { passive: false });
  }

  /** Shows a whole picture where it can still be read, else its top. */
  fit({ width, height, left }, least = 0) {
    const { clientWidth, clientHeight } = this.#frame;
    const whole = Math.min((clientWidth - 2 * MARGIN) / width, (clientHeight - 2 * MARGIN) / height);
    const scale = Math.min(1.6, Math.max(whole, least, LEAST));
    const isWhole = scale <= whole;
    const middle = isWhole ? width / 2 : left;
    const top = isWhole ? (clientHeight - height * scale) / 2 : MARGIN;
    this.#set({ scale, left: clientWidth / 2 - middle * scale, top });
  }

  /** Magnifies around a point of the frame, else around its middle. */
  zoom(factor, at = { x: this.#frame.clientWidth / 2, y: this.#frame.clientHeight / 2 }) {
    const scale = Math.min(MOST, Math.max(LEAST, this.scale * factor));
    const share = scale / this.scale;
    this.#set({ scale, left: at.x - (at.x - this.left) * share, top: at.y - (at.y - this.top) * share });
  }

  pan(right, down) {
    this.#set({ scale: this.scale, left: this.left - right, top: this.top - down });
  }

  /** Brings a point of the picture into sight. */
  follow({ left, top }) {
    const { clientWidth, clientHeight } = this.#frame;
    const [x, y] = [this.left + left * this.scale, this.top + top * this.scale];
    const isBeside = x > MARGIN && x < clientWidth - MARGIN && !(x > clientWidth - BUTTONS.width && y < BUTTONS.height);
    const isBetween = y > MARGIN / 2 && y < clientHeight - MARGIN;
    if (isBeside && isBetween) return;
    const down = isBetween ? this.top : clientHeight / 2 - top * this.scale;
    this.#go({ scale: this.scale, left: clientWidth / 2 - left * this.scale, top: down });
  }

  #set(view) {
    cancelAnimationFrame(this.#going);
    this.#show(view);
  }

  #show(view) {
    Object.assign(this, view);
    this.#moved();
  }

  /** Moves to a view, at once where less motion is wanted. */
  #go(view) {
    cancelAnimationFrame(this.#going);
    if (matchMedia("(prefers-reduced-motion: reduce)").matches) return this.#show(view);
    const from = { scale: this.scale, left: this.left, top: this.top };
    const begin = performance.now();
    const turn = (now) => {
      const share = Math.min(1, Math.max(0, (now - begin) / MILLISECONDS));
      const eased = 1 - (1 - share) ** 3;
      this.#show(Object.fromEntries(Object.keys(from).map((key) => [key, from[key] + (view[key] - from[key]) * eased])));
      if (share < 1) this.#going = requestAnimationFrame(turn);
    };
    this.#going = requestAnimationFrame(turn);
  }

  #point(event) {
    const box = this.#frame.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  }

  #down(event) {
    if (!this.#pointers.size) this.isDragging = false;
    this.#pointers.set(event.pointerId, this.#point(event));
  }

  #move(event) {
    const before = this.#pointers.get(event.pointerId);
    if (!before) return;
    const point = this.#point(event);
    const other = [...this.#pointers].find(([id]) => id !== event.pointerId)?.[1];
    if (!this.isDragging && !other && Math.hypot(point.x - before.x, point.y - before.y) < 5) return;
    if (!this.isDragging) this.#frame.setPointerCapture(event.pointerId);
    this.isDragging = true;
    this.#pointers.set(event.pointerId, point);
    this.pan(before.x - point.x, before.y - point.y);
    if (other) this.zoom(Math.hypot(point.x - other.x, point.y - other.y) / Math.hypot(before.x - other.x, before.y - other.y), other);
  }

  #wheel(event) {
    event.preventDefault();
    this.zoom(Math.exp(-event.deltaY / 400), this.#point(event));
  }
}
