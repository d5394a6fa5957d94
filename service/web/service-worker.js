// Keeps pages and the answers that caches may keep, for the time without the service. The service writes VERSION and
// FILES, the pages and all that they load, before this text; with them the text changes, and browsers take up the new one.

const [PAGES, ANSWERS] = ["page-", "answers"];
const MOST_ANSWERS = 300;
const GONE = [502, 504]; // what a proxy says in place of a service that it does not reach

self.addEventListener("install", (event) => {
  event.waitUntil(install().then(() => self.skipWaiting()));
});

self.addEventListener("activate", (event) => {
  event.waitUntil(forget().then(() => self.clients.claim()));
});

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname, search } = new URL(request.url);
  if (request.method !== "GET" || origin !== location.origin || request.headers.get("Accept")?.includes("event-stream")) return;
  if (FILES.includes(pathname) && request.mode === "navigate") event.respondWith(page(request, pathname === "/" && search));
  else if (pathname.startsWith("/page/")) event.respondWith(kept(request));
  else event.respondWith(fresh(event));
});

/** Keeps the pages, and the games for a catalogue that is opened without the service. */
async function install() {
  const [pages, answers] = await Promise.all([PAGES + VERSION, ANSWERS].map((name) => caches.open(name)));
  await Promise.all([pages.addAll(FILES), answers.add("/games").catch(() => {})]);
}

/** Deletes the pages before the last one, which may still be open. */
async function forget() {
  const pages = (await caches.keys()).filter((name) => name.startsWith(PAGES) && name !== PAGES + VERSION);
  await Promise.all(pages.slice(0, -1).map((name) => caches.delete(name)));
}

/** A page as it was kept; that of a link to a position is hidden until its board is drawn, as by the service. */
async function page(request, isLink) {
  const found = await caches.match(request, { cacheName: PAGES + VERSION, ignoreSearch: true, ignoreVary: true });
  if (!found || !isLink) return found ?? fetch(request);
  const text = (await found.text()).replace("<html ", '<html class="linked" ');
  return new Response(text, { headers: headersOf(found) });
}

/** A file of a page, this one's or that of a page which is still open. */
async function kept(request) {
  return (await caches.match(request, { ignoreSearch: true, ignoreVary: true })) ?? fetch(request);
}

/** The answer of the service; without it the last one that was kept, which says so. */
async function fresh(event) {
  const { request } = event;
  try {
    const response = await fetch(request);
    if (response.ok && response.headers.get("Cache-Control")?.startsWith("public")) event.waitUntil(remember(request, response.clone()));
    return GONE.includes(response.status) ? ((await remembered(request)) ?? response) : response;
  } catch (error) {
    const found = await remembered(request);
    if (found) return found;
    throw error;
  }
}

async function remembered(request) {
  const found = await caches.match(request, { cacheName: ANSWERS, ignoreVary: true });
  return found && new Response(found.body, { headers: headersOf(found, { "X-Kept": "yes" }) });
}

async function remember(request, response) {
  const cache = await caches.open(ANSWERS);
  await cache.put(request, response);
  const all = await cache.keys();
  await Promise.all(all.slice(0, -MOST_ANSWERS).map((each) => cache.delete(each)));
}

/** Headers for a body that is no longer compressed. */
function headersOf(response, added = {}) {
  const headers = new Headers({ ...Object.fromEntries(response.headers), ...added });
  headers.delete("Content-Encoding");
  headers.delete("Content-Length");
  return headers;
}
