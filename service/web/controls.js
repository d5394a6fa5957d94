// The controls: buttons and settings, and the keys that stand for them.

import { element } from "./drawing.js";
import { HINTS } from "./match.js";
import { count } from "./words.js";

const DIGIT = /^[1-9]$/;
const KEYS = { u: "undo", r: "redo", h: "hints", m: "advise", v: "review-button", n: "new" };

const find = (id) => document.getElementById(id);
const hintBoxes = () => [...find("hint-kinds").querySelectorAll("input")];

/** Lists the games and tells `handlers` of what is wanted: begin, undo, redo, advise, set, drop, load, copy, review, unfold. */
export function listen(games, handlers) {
  const on = (id, event, act) => find(id).addEventListener(event, act);
  find("game").append(...games.map(({ id, name }) => element("option", { value: id, textContent: name })));
  on("game", "change", ({ target }) => handlers.begin(games[target.selectedIndex]));
  on("new", "click", () => handlers.begin());
  on("undo", "click", () => handlers.undo());
  on("redo", "click", () => handlers.redo());
  on("advise", "click", () => handlers.advise());
  on("hints", "click", ({ currentTarget }) => handlers.set({ hints: new Set(currentTarget.ariaPressed === "true" ? [] : HINTS) }));
  on("hint-kinds", "change", () => handlers.set({ hints: new Set(hintBoxes().filter((box) => box.checked).map((box) => box.value)) }));
  on("sides", "change", ({ target }) => handlers.set({ you: target.value }));
  on("skill", "input", ({ target }) => (find("skill-value").textContent = target.value));
  on("skill", "change", ({ target }) => handlers.set({ skill: Number(target.value) }));
  on("copy", "click", () => handlers.copy());
  on("review-button", "click", () => handlers.review());
  on("tree", "toggle", () => handlers.unfold());
  on("record", "submit", (event) => {
    event.preventDefault();
    handlers.load(find("drops").value);
  });
  document.addEventListener("paste", (event) => paste(event, handlers));
  document.addEventListener("keydown", (event) => press(event, handlers));
}

/** Shows a match in the controls, and whether the oracle may be asked for a move. */
export function show(match, isInProgress) {
  const { game, you, skill, hints } = match;
  find("game").value = game.id;
  find("rules").textContent = game.rules;
  find("value").textContent = `With best play ${valueOf(game)}.`;
  find("sides").querySelector(`[value=${you}]`).checked = true;
  find("skill").value = skill;
  find("skill-value").textContent = skill;
  for (const box of hintBoxes()) box.checked = hints.has(box.value);
  find("hints").ariaPressed = String(hints.size > 0);
  find("legend").hidden = hints.size === 0;
  find("record").hidden = !game.hasDigits;
  find("drops").value = game.hasDigits ? game.written(match.moves) : "";
  allow("undo", match.canUndo);
  allow("redo", match.canRedo);
  allow("advise", isInProgress);
  allow("review-button", match.moves.length > 0);
}

/** Whether a button may be pressed; it keeps the focus either way. */
function allow(id, isAllowed) {
  find(id).ariaDisabled = String(!isAllowed);
}

function valueOf({ value }) {
  if (value.outcome === "draw") return "the game is a draw";
  return `the first player ${value.outcome === "win" ? "wins" : "loses"}${value.plies ? ` in ${count(value.plies, "ply", "plies")}` : ""}`;
}

function press(event, { drop }) {
  const { target, key } = event;
  if (event.ctrlKey || event.metaKey || event.altKey || isTyping(target) || !find("letters").checked) return;
  if (DIGIT.test(key)) drop(Number(key) - 1);
  else find(KEYS[key.toLowerCase()])?.click();
}

/** Loads a string of columns that is pasted anywhere but into a field. */
function paste({ target, clipboardData }, { load }) {
  const text = clipboardData.getData("text").trim();
  if (!isTyping(target) && /^[1-9]{1,64}$/.test(text)) load(text);
}

function isTyping(target) {
  return target instanceof Element && target.matches("select, input:not([type=checkbox], [type=radio], [type=range])");
}
