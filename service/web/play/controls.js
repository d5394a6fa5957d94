// The controls: buttons and settings, and the keys that stand for them.

import { element } from "../board/drawing.js";
import { picture } from "../game/link.js";
import { HINTS, SIDES } from "../game/match.js";
import { texts } from "../words/texts.js";
import { aboutOf, titleOf } from "../words/translation.js";
import { named } from "../words/words.js";

const DIGIT = /^[1-9]$/;
const KEYS = { u: "undo", r: "redo", h: "hints", m: "advise", v: "review-button", n: "new", s: "swap" };
const STEPS = { ArrowLeft: "previous", ArrowRight: "next", Home: "first", End: "last" };
const LEVELS = [["random", 0], ["casual", 30], ["solid", 60], ["expert", 90], ["perfect", 100]];

const find = (id) => document.getElementById(id);
const hintBoxes = () => [...find("hint-kinds").querySelectorAll("input")];

/** Tells `handlers` of what is wanted. */
export function listen(handlers) {
  const on = (id, event, act) => find(id).addEventListener(event, act);
  for (const name of ["undo", "redo", "advise", "swap", "copy", "edit", "puzzle", "game", "turn", "first", "previous", "next", "last"]) on(name, "click", () => handlers[name]());
  on("new", "click", () => handlers.begin());
  on("hints", "click", ({ currentTarget }) => handlers.set({ hints: new Set(currentTarget.ariaPressed === "true" ? [] : HINTS) }));
  on("hint-kinds", "change", () => handlers.set({ hints: new Set(hintBoxes().filter((box) => box.checked).map((box) => box.value)) }));
  on("sides", "change", ({ target }) => handlers.set({ you: target.value }));
  on("skill", "input", ({ target }) => (find("skill-value").textContent = told(Number(target.value))));
  on("skill", "change", ({ target }) => handlers.set({ skill: Number(target.value) }));
  on("levels", "change", ({ target }) => handlers.set({ skill: Number(target.value) }));
  on("review-button", "click", () => handlers.review());
  on("tree", "toggle", () => handlers.unfold());
  on("choices", "change", ({ target }) => handlers.choose(target.value));
  on("record", "submit", (event) => {
    event.preventDefault();
    handlers.load(find("drops").value);
  });
  document.addEventListener("paste", (event) => paste(event, handlers));
  document.addEventListener("keydown", (event) => press(event, handlers));
}

/** Shows a match in the controls; `choice` is what a player has chosen to play. */
export function show(match, choice) {
  const { game, you, skill, hints } = match;
  find("game-name").replaceChildren(titleOf(game));
  find("rules").replaceChildren(aboutOf(game));
  SIDES.forEach((_, turn) => (find(["first-player", "second-player"][turn]).textContent = playerName(game, turn)));
  find("sides").querySelector(`[value=${you}]`).checked = true;
  find("skill").value = skill;
  find("skill-value").textContent = told(skill);
  for (const box of find("levels").querySelectorAll("input")) box.checked = Number(box.value) === skill;
  for (const box of hintBoxes()) box.checked = hints.has(box.value);
  find("hints").ariaPressed = String(hints.size > 0);
  find("record").hidden = !game.hasDigits;
  find("drops").value = game.hasDigits ? game.written(match.moves) : "";
  find("turn").hidden = !game.surface.isDeep;
  find("new-name").textContent = match.isInProgress ? texts.newGame : texts.rematch;
  find("picture").hidden = picture(match) === null;
  find("picture").href = picture(match) ?? "";
  allow("undo", match.canUndo);
  allow("redo", match.canRedo);
  for (const name of ["first", "previous"]) allow(name, match.ply > 0);
  for (const name of ["next", "last"]) allow(name, match.canRedo);
  allow("advise", match.isInProgress);
  allow("swap", SIDES.includes(you));
  allow("review-button", match.moves.length > 0 && !match.setup);
  showChoices(game, match.state, choice);
}

/** What is to be played: marks or digits to choose from, or whether a disc is dropped or popped. */
export function showChoices(game, state, choice) {
  const root = find("choices");
  const most = game.choices(game.start());
  root.hidden = !most.length;
  const choices = game.choices(state);
  const shown = [texts.language, ...choices].join();
  if (root.dataset.shown === shown) {
    for (const box of root.querySelectorAll("input")) box.checked = box.value === choice;
    return;
  }
  root.dataset.shown = shown;
  root.replaceChildren(...choices.map((value) => element("label", {}, element("input", { type: "radio", name: "choice", value, checked: value === choice }), texts.choices[value] ?? value)));
}

function playerName(game, turn) {
  const player = named(game.players[turn]);
  return !game.marksArePlayers ? player : turn ? texts.second({ player }) : texts.first({ player });
}

function told(skill) {
  const [name] = LEVELS.findLast(([, least]) => least <= skill);
  return `${skill} · ${texts.levels[name]}`;
}

/** Whether a button may be pressed; it keeps the focus either way. */
function allow(id, isAllowed) {
  find(id).ariaDisabled = String(!isAllowed);
}

function press(event, { digit }) {
  const { target, key } = event;
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || isTyping(target) || document.querySelector("dialog[open]")) return;
  const step = STEPS[key];
  if (step && !target.closest("input, .board, #analysis")) {
    event.preventDefault(); // the list of moves does not scroll as well
    return find(step).click();
  }
  if (!find("letters").checked) return;
  if (DIGIT.test(key)) event.repeat || digit(key);
  else find(KEYS[key.toLowerCase()])?.click();
}

/** Loads a string of columns that is pasted anywhere but into a field. */
function paste({ target, clipboardData }, { load }) {
  const text = clipboardData.getData("text").trim();
  if (!isTyping(target) && /^[1-9]{1,64}$/.test(text)) load(text);
}

function isTyping(target) {
  return target instanceof Element && target.matches("select, textarea, input:not([type=checkbox], [type=radio], [type=range])");
}
