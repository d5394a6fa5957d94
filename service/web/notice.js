// What the page says: to everybody in the status, to those who listen as it happens, and when something fails.

import { element } from "./drawing.js";
import { texts } from "./texts.js";
import { english } from "./translation.js";

const MOST_SAID = 30;
const [problem, said, gone] = ["problem", "said", "connection"].map((id) => document.getElementById(id));

/** Says something to those who listen. */
export function announce(text) {
  said.append(element("p", { textContent: text }));
  if (said.childElementCount > MOST_SAID) said.firstElementChild.remove();
}

/** Forgets what was said, which was in another language. */
export function hush() {
  said.replaceChildren();
}

/** Tells what failed, with a button that tries again. */
export function complain(error, retry) {
  const again = element("button", { type: "button", textContent: texts.tryAgain });
  const close = element("button", { type: "button", textContent: texts.dismiss });
  again.addEventListener("click", () => {
    settle();
    retry();
  });
  close.addEventListener("click", settle);
  const told = error.lang ? english : (text) => text;
  const title = element("strong", {}, told(error.title ?? texts.wrongAnyhow));
  problem.replaceChildren(element("p", {}, title, " ", told(error.message)), element("div", { className: "tools" }, again, close));
  problem.hidden = false;
}

/** Says that the service is gone, or that it is back. */
export function tellConnection(isGone) {
  gone.textContent = isGone ? texts.serviceGone : texts.serviceBack;
  gone.classList.toggle("gone", isGone);
}

/** Takes the complaint away. */
export function settle() {
  problem.hidden = true;
}
