// The service's public API, as promises of its answers.

import { connection } from "./connection.js";
import { texts } from "../words/texts.js";

/** What went wrong, in words for people: a problem document of the service, or a connection that failed. */
export class Problem extends Error {
  constructor({ title, detail, status = 0, lang = "", errors = [] }) {
    super(detail);
    Object.assign(this, { title, status, lang, errors });
  }
}

/** The longest Retry-After of a refused search after which the page tries again by itself, once. */
const MAX_WAIT_SECONDS = 5;

/** The faults of a request that are shown. */
const MOST_FAULTS = 3;

/** How long the service may take for anything but a search, and beside the time that a search may take. */
const PATIENCE_MS = 15000;

/** After so long without the whole answer, and again, the page asks whether the service is alive. */
const QUIET_MS = 2500;

/** The statuses of a proxy that does not reach the service. */
const GONE = [502, 504];

/** A part of the page that is loaded when it is used first, and the style of such parts; fails as a problem if its file does not come. */
export function part(load) {
  showLoading(1);
  return rules(() => Promise.all([load(), dressed()]).then(([found]) => found)).finally(() => showLoading(-1));
}

/** The rules of a family, which need no style. */
export async function rules(load) {
  try {
    return await load();
  } catch {
    globalThis.again = `?${Date.now()}`; // a browser that has found nothing at an address asks it no more
    throw new Problem({ title: texts.partMissing, detail: texts.partHint });
  }
}

let loads = 0; // parts that are awaited

/** Shows by the pointer whether a part is being loaded. */
function showLoading(change) {
  loads += change;
  document.documentElement.classList.toggle("loading", loads > 0);
}

let style = null; // the promise of the style of parts

function dressed() {
  style ??= load(document.querySelector("meta[name=style-of-parts]").content).catch((error) => {
    style = null;
    throw error;
  });
  return style;
}

/** Loads a style sheet. */
function load(href) {
  const link = Object.assign(document.createElement("link"), { rel: "stylesheet", href });
  document.head.append(link);
  return new Promise((done, fail) => Object.assign(link, { onload: done, onerror: fail }));
}

/** Every game of the catalogue, and the families whose rules can be given. */
export function catalogue() {
  return answer("/games");
}

/** What runs, and its limits. */
export function version() {
  return answer("/version");
}

/** A puzzle with its solution, of a game and a goal; the same seed gives the same one. */
export async function puzzles(asked, signal) {
  return answer(`/puzzles?${new URLSearchParams({ count: 1, solution: true, ...asked })}`, { signal });
}

/** How a position stands: its status, winner and winning line. Searches no further than it must. */
export function standing(position, signal) {
  return post("/best-move", { ...position, limit: { nodes: 1 } }, signal);
}

/** The oracle's move at this skill: one drawn by the seed, or at full strength the best one that is hardest to answer. */
export function bestMove(position, { skill, seed, timeMs }, signal) {
  const chance = skill < 100 ? { skill, seed } : { tie_break: "hardest" };
  return post("/best-move", { ...position, ...chance, limit: { time_ms: timeMs } }, signal);
}

/** Every legal move with its value. `onProgress` gets the progress of a long search several times a second. */
export async function analyse(position, timeMs, signal, onProgress = () => {}) {
  const body = { ...position, limit: { time_ms: timeMs } };
  return send("/analysis/stream", request(body, "application/x-ndjson", signal), async (response) => {
    for await (const line of lines(response.body)) {
      const { progress, result, problem } = JSON.parse(line);
      if (problem) throw new Problem(inEnglish(problem));
      if (result) return result;
      onProgress(progress);
    }
    throw broken();
  });
}

/** A whole game, judged ply by ply. */
export function review(position, timeMs, signal) {
  return post("/review", { ...position, limit: { time_ms: timeMs } }, signal);
}

function post(path, body, signal) {
  return answer(path, request(body, "application/json", signal));
}

function request(body, accept, signal) {
  const headers = { "Content-Type": "application/json", Accept: accept };
  return { method: "POST", headers, body: JSON.stringify(body), timeMs: body.limit.time_ms, signal };
}

function answer(path, options = {}) {
  return send(path, options, (response) => response.json());
}

/** What `read` makes of the answer. */
async function send(path, options, read) {
  const { timeMs = 0, signal, ...request } = options;
  const left = new AbortController(); // when the service does not seem to be alive
  const watch = setInterval(async () => (await connection.isAlive()) || left.abort(), QUIET_MS);
  const ends = [signal, left.signal, AbortSignal.timeout(timeMs + PATIENCE_MS)].filter(Boolean);
  try {
    return await read(await answered(path, { ...request, signal: AbortSignal.any(ends) }));
  } catch (error) {
    if (signal?.aborted) throw signal.reason;
    throw ends.some(({ aborted }) => aborted) ? lost() : error;
  } finally {
    clearInterval(watch);
  }
}

/** A good answer; a refused search is tried again once. */
async function answered(path, request) {
  let response = await attempt(path, request);
  const seconds = Number(response.headers.get("Retry-After"));
  if (response.status === 503 && seconds > 0 && seconds <= MAX_WAIT_SECONDS) {
    await new Promise((resolve) => setTimeout(resolve, 1000 * seconds));
    response = await attempt(path, request);
  }
  if (!response.ok) throw new Problem(await problemOf(response));
  return response;
}

async function attempt(path, request) {
  const response = await fetch(path, request).catch(() => null);
  if (request.signal.aborted) throw request.signal.reason;
  if (!response || GONE.includes(response.status)) throw lost();
  if (response.headers.has("X-Kept")) connection.lose();
  else connection.find();
  return response;
}

function lost() {
  connection.lose();
  return new Problem({ title: texts.unreachable, detail: texts.gameIsSafe });
}

function broken() {
  return new Problem({ title: texts.incomplete, detail: texts.closedEarly });
}

async function problemOf(response) {
  const { status } = response;
  return response.json().then(inEnglish, () => ({ title: texts.noAnswer, detail: texts.statusIs({ status }), status }));
}

function inEnglish(problem) {
  const faults = [...new Set((problem.errors ?? []).map(({ detail }) => detail))]; // where there are several, `detail` is the first
  return { ...problem, detail: faults.slice(0, MOST_FAULTS).join(" ") || problem.detail, lang: "en" };
}

async function* lines(stream) {
  const reader = stream.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { done, value } = await reader.read().catch(() => {
      throw broken();
    });
    if (done) break;
    const parts = (rest + value).split("\n");
    rest = parts.pop();
    yield* parts.filter(Boolean);
  }
  if (rest) yield rest;
}
