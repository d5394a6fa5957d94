// The controls: buttons, the sheet of a new game, the pages of the panel, and the keys that stand for them.

import { element } from "../board/drawing.js";
import { HINTS, SIDES } from "../game/match.js";
import { remember, remembered } from "./preferences.js";
import { texts } from "../words/texts.js";
import { aboutOf, titleOf } from "../words/translation.js";
import { named } from "../words/words.js";

const DIGIT = /^[1-9]$/;
const KEYS = { f: "flip", x: "mirror", u: "undo", r: "redo", h: "hints", m: "advise", v: "review-button", n: "new", s: "swap" };
const STEPS = { ArrowLeft: "previous", ArrowRight: "next", Home: "first", End: "last" };
const LEVELS = [["random", 0], ["casual", 30], ["solid", 60], ["expert", 90], ["perfect", 100]];

const find = (id) => document.getElementById(id);
const hintBoxes = () => [...find("hint-kinds").querySelectorAll("input")];
const tabs = () => [...find("tabs").children];

/** Calls the `handlers` of the controls. */
export function listen(handlers) {
  const on = (id, event, act) => find(id).addEventListener(event, act);
  for (const name of ["undo", "redo", "advise", "swap", "edit", "turn", "first", "previous", "next", "last", "new", "game", "picture"]) on(name, "click", () => handlers[name]());
  for (const [id, what] of [["copy", "link"], ["copy-position", "position"], ["copy-embed", "embed"]]) on(id, "click", () => handlers.copy(what));
  on("modes", "click", ({ target }) => target.dataset.mode && handlers.mode(target.dataset.mode));
  on("hints", "click", ({ currentTarget }) => handlers.set({ hints: new Set(currentTarget.ariaPressed === "true" ? [] : HINTS) }));
  on("hint-kinds", "change", () => handlers.set({ hints: new Set(hintBoxes().filter((box) => box.checked).map((box) => box.value)) }));
  on("show-hints", "click", () => handlers.set({ hints: new Set(HINTS) }));
  on("mirror", "click", () => handlers.flip(0));
  on("flip", "click", () => handlers.flip(1));
  on("review-button", "click", () => handlers.review());
  on("choices", "change", ({ target }) => handlers.choose(target.value));
  on("tabs", "click", ({ target }) => target.dataset.page && turnTo(target.dataset.page));
  on("tabs", "keydown", walk);
  on("new-chooser", "click", () => {
    find("new-game").close();
    handlers.game();
  });
  on("new-game", "close", ({ target: { returnValue } }) => {
    const chosen = { you: valueOf("sides"), skill: Number(valueOf("levels")) };
    if (returnValue === "start") handlers.begin(chosen);
    else if (returnValue === "apply") handlers.set(chosen);
  });
  on("record", "submit", (event) => {
    event.preventDefault();
    handlers.load(find("drops").value);
  });
  find("letters").checked = remembered("letters", true);
  on("letters", "change", ({ target }) => remember("letters", target.checked));
  document.addEventListener("paste", ({ target, clipboardData }) => isTyping(target) || handlers.paste(clipboardData.getData("text").trim()));
  document.addEventListener("keydown", (event) => press(event, handlers));
}

/** Opens the sheet of a new game, with the choices of this one. */
export function openGame() {
  find("new-game").returnValue = "";
  find("new-game").showModal();
}

/** Turns the panel to a page: "analysis", "moves" or "game"; `unfolds` what the last one has for sharing. */
export function turnTo(page, unfolds = false) {
  find("panel").dataset.page = page;
  if (unfolds) find("more").open = true;
  for (const tab of tabs()) {
    tab.ariaSelected = String(tab.dataset.page === page);
    tab.tabIndex = tab.dataset.page === page ? 0 : -1;
  }
}

/** Shows a match in the controls; `choice` is what a player has chosen to play, and an analysis may be wanted. */
export function show(match, choice, isWanted) {
  const { game, mode, you, skill, hints } = match;
  document.querySelector(".desk").dataset.mode = mode;
  for (const button of find("modes").querySelectorAll("button")) button.ariaPressed = String(button.dataset.mode === mode);
  for (const id of ["game-name", "new-chooser-name"]) find(id).replaceChildren(titleOf(game));
  find("rules").replaceChildren(aboutOf(game));
  SIDES.forEach((_, turn) => (find(["first-player", "second-player"][turn]).textContent = playerName(game, turn)));
  check("sides", you);
  check("levels", levelOf(skill)[1]);
  find("sides-told").textContent = mode === "play" && SIDES.includes(you) ? texts.sidesTold({ player: named(game, game.players[SIDES.indexOf(you)]), level: texts.levels[levelOf(skill)[0]] }) : "";
  find("apply").hidden = mode !== "play" || !match.isInProgress || !match.moves.length;
  for (const box of hintBoxes()) box.checked = hints.has(box.value);
  find("hints").ariaPressed = String(hints.size > 0);
  find("hint-kinds").hidden = hints.size === 0;
  find("bar").hidden = !hints.has("values");
  find("welcome").hidden = mode !== "play" || match.moves.length > 0;
  find("page-moves").classList.toggle("empty", !match.moves.length);
  find("drops").value = match.setup ? "" : String(game.written(match.moves));
  find("turn").hidden = !game.surface.isDeep;
  find("new-name").textContent = { puzzles: texts.nextPuzzle, retry: texts.nextMistake }[mode] ?? texts.newGame;
  find("picture").hidden = Boolean(game.asked.lines); // whose game only a body can describe
  find("mirror").hidden = mode !== "analyse" || !game.flips(0);
  find("flip").hidden = mode !== "analyse" || !game.flips(1);
  find("analysis-hint").hidden = isWanted || !match.isInProgress;
  find("analysis").hidden = !isWanted && match.isInProgress;
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
  const player = named(game, game.players[turn]);
  return !game.marksArePlayers ? player : turn ? texts.second({ player }) : texts.first({ player });
}

/** The name and the skill of the level at or below a skill. */
function levelOf(skill) {
  return LEVELS.findLast(([, least]) => least <= skill);
}

function check(id, value) {
  for (const box of find(id).querySelectorAll("input")) box.checked = box.value === String(value);
}

function valueOf(id) {
  return find(id).querySelector(":checked").value;
}

/** Whether a button may be pressed; it keeps the focus either way. */
function allow(id, isAllowed) {
  find(id).ariaDisabled = String(!isAllowed);
}

/** Moves from tab to tab with the arrow keys. */
function walk(event) {
  const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
  if (!step) return;
  event.preventDefault();
  const shown = tabs().filter((tab) => tab.getClientRects().length);
  const next = shown.at((shown.indexOf(event.target) + step) % shown.length);
  turnTo(next.dataset.page);
  next.focus();
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
  if (key === "?") openKeys();
  else if (DIGIT.test(key)) event.repeat || digit(key);
  else document.querySelector(`#${KEYS[key.toLowerCase()]}:not([hidden])`)?.click();
}

function openKeys() {
  find("keys").open = true;
  find("preferences").click();
}

function isTyping(target) {
  return target instanceof Element && target.matches("select, textarea, input:not([type=checkbox], [type=radio])");
}
