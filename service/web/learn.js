// The lesson: a first position, the search of it as steps, and a place among them.

import { Camera } from "./learn/camera.js";
import { Picture } from "./learn/picture.js";
import { CELLS, endOf, isPosition, positionOf, search, sizeOf } from "./learn/search.js";
import { grow, openAtFirst, stateAfter } from "./learn/tree.js";
import { cellName, sentence, shown, signed } from "./learn/words.js";
import { lesson } from "./learn/texts_en.js";
import { add, begin, texts } from "./words/texts.js";

add({ lesson });

const PRESETS = { 3: "XOXOO.X..", 4: "O.XXXO...", 5: ".X.X.OO..", 6: "X...O...X", 7: "X...O....", 8: "X........", 9: "........." };
const FIRST = 4;
const SPEEDS = [1, 2, 4, 8, 20, 60]; // steps a second
const READABLE = 0.85; // scale below which boards are too small to read
const PAN = 60;

const find = (id) => document.getElementById(id);

let board = PRESETS[FIRST];
let open = new Set();
let nodes = new Map();
let steps = [];
let place = 0; // how many steps were made
let timer = null; // of the next step, while the search is played

const picture = new Picture(find("picture"));
const camera = new Camera(find("stage"), () => picture.moved(camera));

const isPruning = () => find("pruning").checked;
const order = () => find("order").value;
const root = () => positionOf(board);

/** Begins with another first position. */
function beginWith(text) {
  board = text;
  open = openAtFirst(root());
  drawRoot();
  compare();
  choose();
  restart();
  look();
}

/** Searches again, and stays at the first step that has visited as many nodes. */
function restart(visited = 0) {
  pause();
  nodes = grow(root(), order(), open);
  ({ steps } = search(root(), { pruning: isPruning(), order: order(), isOpen: (path) => open.has(path) }));
  picture.draw(nodes);
  find("plain").textContent = shown(sizeOf(root()));
  place = visited ? steps.findIndex((step) => step.nodes >= visited) + 1 || steps.length : 0;
  picture.moved(camera);
  show();
}

/** Shows the whole tree if it can be read, else its part where the search is. */
function look() {
  camera.fit(picture.size, READABLE);
  followed();
}

/** Shows the search as it is after the steps made. */
function show() {
  const made = steps.slice(0, place);
  const step = made.at(-1);
  picture.show(stateAfter(made), step?.path ?? "", isPruning());
  for (const end of ["alpha", "beta"]) find(end).textContent = step && isPruning() ? signed(step[end]) : "–";
  find("visited").textContent = shown(step?.nodes ?? 0);
  find("cut-offs").textContent = shown(step?.cutOffs ?? 0);
  find("place").textContent = `${shown(place)}/${shown(steps.length)}`;
  find("sentence").textContent = step ? sentence(step, nodes.get(step.path), isPruning(), sizeOf(root())) : texts.lesson.begin;
  for (const [id, isOff] of Object.entries({ first: !place, back: !place, step: place === steps.length, last: place === steps.length })) {
    find(id).ariaDisabled = String(isOff);
  }
  followed();
}

function followed() {
  if (place && find("follow").checked) camera.follow(nodes.get(steps[place - 1].path));
}

function go(to) {
  place = Math.min(steps.length, Math.max(0, to));
  show();
}

function goTo(to) {
  pause();
  go(to);
}

function nextCut() {
  const found = steps.findIndex((step, index) => index >= place && step.kind === "cut");
  goTo(found < 0 ? steps.length : found + 1);
}

function play() {
  if (place === steps.length) place = 0;
  find("play").textContent = texts.lesson.pause;
  find("sentence").ariaLive = "off"; // faster than a screen reader can read
  tick();
}

function tick() {
  go(place + 1);
  if (place === steps.length) return pause();
  timer = setTimeout(tick, 1000 / SPEEDS[find("speed").value]);
}

function pause() {
  clearTimeout(timer);
  timer = null;
  find("play").textContent = texts.lesson.play;
  find("sentence").ariaLive = "polite";
}

/** Plays, or pauses and announces the state of the search. */
const toggle = () => (timer === null ? play() : goTo(place));

/** Opens a branch by one level, or closes it; the search goes on where it was. */
function turn(path) {
  const node = nodes.get(path);
  if (!node || node.isEnd) return;
  const visited = steps[place - 1]?.nodes ?? 0;
  if (!open.delete(path)) open.add(path);
  restart(visited);
}

function drawRoot() {
  const { isX } = root();
  const over = endOf(root()) !== null;
  for (const [cell, button] of [...find("root").children].entries()) {
    const sign = board[cell];
    button.textContent = sign === "." ? "" : sign;
    button.className = `is-${sign}`;
    button.ariaLabel = texts.lesson.cell({ cell: cellName(cell), sign: sign === "." ? null : sign });
    button.ariaDisabled = String(over && sign === ".");
  }
  find("turn-note").textContent = over ? texts.lesson.over : texts.lesson.turn({ player: isX ? "X" : "O" });
  find("preset").value = Object.keys(PRESETS).find((count) => PRESETS[count] === board) ?? "";
}

function press(cell) {
  if (board[cell] === "." && endOf(root()) !== null) return;
  const sign = board[cell] !== "." ? "." : root().isX ? "X" : "O";
  beginWith(board.slice(0, cell) + sign + board.slice(cell + 1));
}

/** Counts what each search visits, to the end. */
function compare() {
  for (const row of find("compare").children) {
    const { order: each } = row.dataset;
    const found = each === "plain" ? { nodes: sizeOf(root()), cutOffs: 0 } : search(root(), { order: each });
    row.cells[1].textContent = shown(found.nodes);
    row.cells[2].textContent = shown(found.cutOffs);
  }
}

/** Marks the search that is shown, and names it in the address. */
function choose() {
  const chosen = isPruning() ? order() : "plain";
  for (const row of find("compare").children) row.ariaCurrent = row.dataset.order === chosen ? "true" : null;
  history.replaceState(null, "", `#${new URLSearchParams({ board, order: order(), search: isPruning() ? "alpha-beta" : "minimax" })}`);
}

/** Begins with what the address names. */
function read() {
  const named = new URLSearchParams(location.hash.slice(1));
  const text = named.get("board")?.toUpperCase();
  if ([...find("order").options].some(({ value }) => value === named.get("order"))) find("order").value = named.get("order");
  find("pruning").checked = named.get("search") !== "minimax";
  const isRead = !text || isPosition(text);
  beginWith(isRead && text ? text : PRESETS[FIRST]);
  if (!isRead) find("sentence").textContent = texts.lesson.noPosition({ text, begin: texts.lesson.begin });
}

const KEYS = {
  ArrowRight: () => goTo(place + 1),
  ArrowLeft: () => goTo(place - 1),
  Home: () => goTo(0),
  End: () => goTo(steps.length),
  " ": toggle,
  c: nextCut,
  "+": () => camera.zoom(1.25),
  "=": () => camera.zoom(1.25),
  "-": () => camera.zoom(0.8),
  0: () => camera.fit(picture.size),
  Enter: () => turn(steps[place - 1]?.path ?? ""),
};
const PANS = { ArrowRight: [PAN, 0], ArrowLeft: [-PAN, 0], ArrowDown: [0, PAN], ArrowUp: [0, -PAN] };

/** Whether a key is meant for a control, or is a character, which works on the picture alone: people who speak to the browser type some by chance. */
function isNotForTree({ target, key }) {
  const isOfControl = target.closest("input, select") || (target.closest("a, button, summary") && (key === " " || key === "Enter"));
  return isOfControl || (key.length === 1 && key !== " " && target !== find("stage"));
}

function key(event) {
  if (isNotForTree(event) || event.ctrlKey || event.metaKey || event.altKey) return;
  const pan = event.shiftKey && PANS[event.key];
  const act = pan ? () => camera.pan(...pan) : KEYS[event.key] ?? KEYS[event.key.toLowerCase()];
  if (!act) return;
  event.preventDefault();
  act();
}

/** Shows the lesson in its language; in another one than English it was hidden until now. */
async function start() {
  await begin(location.search);
  find("root").append(...CELLS.map((cell) => {
    const button = document.createElement("button");
    button.type = "button";
    button.addEventListener("click", () => press(cell));
    return button;
  }));
  find("preset").addEventListener("change", ({ target }) => beginWith(PRESETS[target.value]));
  for (const id of ["pruning", "order"]) {
    find(id).addEventListener("change", () => {
      choose();
      restart();
    });
  }
  const clicks = { first: () => goTo(0), back: () => goTo(place - 1), play: toggle, step: () => goTo(place + 1), last: () => goTo(steps.length), "next-cut": nextCut };
  const zooms = { closer: () => camera.zoom(1.25), farther: () => camera.zoom(0.8), whole: () => camera.fit(picture.size) };
  for (const [id, act] of Object.entries({ ...clicks, ...zooms })) find(id).addEventListener("click", act);
  find("picture").addEventListener("click", ({ target }) => {
    if (!camera.isDragging && target.closest(".spot")) turn(target.closest(".spot").dataset.path);
  });
  document.addEventListener("keydown", key);
  read();
  new ResizeObserver(look).observe(find("stage"));
  addEventListener("hashchange", read);
  document.documentElement.classList.remove("translating");
}

start();
