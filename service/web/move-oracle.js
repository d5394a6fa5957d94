// <move-oracle game="connect-four" moves="3,3" controls>: a board of the Move Oracle that this script came from.
// Guide: /guide/guide/embed.html

const PARAMETERS = [
  ...["game", "moves", "drops", "ply", "board", "player", "you", "skill", "seed", "hints"],
  ...["family", ...RULES, "cells", "lines"],
  ...["theme", "accent", "background", "controls", "lang"],
];
const FLAGS = { controls: "minimal", gravity: "true", misere: "true", wrap: "true" }; // what an attribute without a value means
const HOME = new URL("/", import.meta.url).href;
const MOST_LAYERS = 1.65; // height of a board of layers, by its width
const TOOLS = "5rem"; // room for the controls

const sheet = new CSSStyleSheet(); // no style element, which a strict policy of the page would refuse
sheet.replaceSync(`
  :host { display: block; min-width: 12.5rem; }
  :host([hidden]) { display: none; }
  div { position: relative; width: 100%; }
  iframe { position: absolute; inset: 0; width: 100%; height: 100%; border: 0; }
`);

/** A board in a frame. It dispatches `ready` and `move`, with the position as detail. */
class MoveOracle extends HTMLElement {
  static observedAttributes = [...PARAMETERS, "src", "title"];

  #box = document.createElement("div");
  #frame = document.createElement("iframe");
  #home = null; // the service in the frame, once there is one
  #isReady = false;
  #isAwaited = false; // whether changed attributes have not reached the frame yet
  #position = null;
  #hear = (event) => this.#listen(event);

  constructor() {
    super();
    const root = this.attachShadow({ mode: "open" });
    root.adoptedStyleSheets = [sheet];
    this.#box.append(this.#frame);
    root.append(this.#box);
  }

  /** The position on the board, by the last event; null before the board is ready. */
  get position() {
    return this.#position;
  }

  connectedCallback() {
    window.addEventListener("message", this.#hear);
    this.#load();
  }

  disconnectedCallback() {
    window.removeEventListener("message", this.#hear);
  }

  attributeChangedCallback(name) {
    if (!this.isConnected || !this.#home || this.#isAwaited) return;
    this.#isAwaited = true;
    queueMicrotask(() => {
      this.#isAwaited = false;
      this.#change();
    });
  }

  /** Opens what the attributes say: in the frame that is there, or in another one of another service. */
  #change() {
    if (!this.isConnected) return;
    if (!this.#isReady || this.#homeNow() !== this.#home) return this.#load();
    this.#fit();
    this.#frame.contentWindow.postMessage({ open: this.#query() }, new URL(this.#home).origin);
  }

  #load() {
    this.#home = this.#homeNow();
    this.#isReady = false;
    this.#fit();
    this.#frame.src = new URL(`embed${this.#query()}`, this.#home).href;
  }

  #homeNow() {
    return new URL(this.getAttribute("src") || HOME, document.baseURI).href;
  }

  #query() {
    const said = PARAMETERS.filter((name) => this.hasAttribute(name)).map((name) => [name, this.getAttribute(name) || FLAGS[name] || ""]);
    return `?${new URLSearchParams({ controls: "none", ...Object.fromEntries(said) })}`;
  }

  /** Takes the shape of the board: from the attributes or from the catalogue, so that nothing moves when it is there. */
  #fit() {
    const own = ["columns", "rows", "layers"].map((name) => Number(this.getAttribute(name)) || 1);
    const named = SHAPES.get(this.getAttribute("game") ?? "tic-tac-toe") ?? [1, 1, 1];
    const [columns, rows, layers] = this.hasAttribute("rows") ? own : named;
    const boards = Number(this.getAttribute("boards")) || 1; // which stand below each other
    this.#box.style.aspectRatio = layers > 1 ? `1 / ${MOST_LAYERS}` : `${columns} / ${boards * rows}`;
    this.#box.style.paddingBottom = this.hasAttribute("controls") && this.getAttribute("controls") !== "none" ? TOOLS : "0";
    this.#frame.title = this.title || "Move Oracle board";
  }

  #listen({ source, origin, data }) {
    if (source !== this.#frame.contentWindow || origin !== new URL(this.#home).origin || !data?.moveOracle) return;
    const { moveOracle: what, position, ...more } = data;
    this.#position = position;
    this.#isReady = true;
    if (what !== "position") this.dispatchEvent(new CustomEvent(what, { detail: { ...position, ...more }, bubbles: true }));
  }
}

for (const name of [...PARAMETERS, "src"]) {
  if (name in HTMLElement.prototype) continue; // lang is a property of every element
  Object.defineProperty(MoveOracle.prototype, name, {
    configurable: true,
    enumerable: true,
    get() {
      return name in FLAGS && this.getAttribute(name) === "" ? true : this.getAttribute(name);
    },
    set(value) {
      if (value === null || value === undefined || value === false) this.removeAttribute(name);
      else this.setAttribute(name, value === true ? "" : value);
    },
  });
}

customElements.define("move-oracle", MoveOracle);
