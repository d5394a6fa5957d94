// Whether the service can be reached. While it cannot, the page asks now and then whether it is back.

const FIRST_MS = 1000;
const MOST_MS = 15000;
const PULSE_MS = 2500; // how soon a service that is alive says so

/** Emits a "change" when the service is lost, and when it is back. */
class Connection extends EventTarget {
  isGone = false;
  #wait = FIRST_MS;

  /** Notes that a request has found no service. */
  lose() {
    if (this.isGone) return;
    this.#become(true);
    this.#wait = FIRST_MS;
    this.#askLater();
  }

  /** Notes that the service has answered. */
  find() {
    if (this.isGone) this.#become(false);
  }

  /** Asks at once whether it is back. */
  async ask() {
    if (!this.isGone) return;
    if (await this.isAlive(MOST_MS)) this.find();
    else this.#askLater();
  }

  /** Whether the service says within a time that it is alive. */
  async isAlive(ms = PULSE_MS) {
    const response = await fetch("/healthz", { cache: "no-store", signal: AbortSignal.timeout(ms) }).catch(() => null);
    return Boolean(response?.ok);
  }

  #askLater() {
    setTimeout(() => this.ask(), this.#wait);
    this.#wait = Math.min(2 * this.#wait, MOST_MS);
  }

  #become(isGone) {
    this.isGone = isGone;
    this.dispatchEvent(new Event("change"));
  }
}

export const connection = new Connection();

/** Has the browser keep the page for the time without the service, once it has shown it. */
export function keepPage() {
  const keep = () => navigator.serviceWorker?.register("/page/service-worker.js", { scope: "/" }).catch(() => {}); // it may forbid that
  if (document.readyState === "complete") keep();
  else addEventListener("load", keep, { once: true });
}
