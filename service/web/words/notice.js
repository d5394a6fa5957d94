// Messages: the visible status, announcements for screen readers, and failures.

import { button, element } from "../board/drawing.js";
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

/** Shows a failure, with a button that tries again; one that cannot be tried again stays until it is dismissed. */
export function complain(error, retry = null) {
  const again = retry && button(texts.tryAgain, () => {
    dismiss();
    retry();
  });
  const close = button(texts.dismiss, dismiss);
  const told = error.lang ? english : (text) => text;
  const title = element("strong", {}, told(error.title ?? texts.wrongAnyhow));
  problem.replaceChildren(element("p", {}, title, " ", told(error.message)), element("div", { className: "tools" }, again, close));
  problem.classList.toggle("lasting", !retry);
  problem.hidden = false;
}

/** Says that the service is gone, or that it is back. */
export function tellConnection(isGone) {
  gone.textContent = isGone ? texts.serviceGone : texts.serviceBack;
  gone.classList.toggle("gone", isGone);
}

/** Takes the complaint away, if what failed is tried again or not wanted any more. */
export function settle() {
  if (!problem.classList.contains("lasting")) dismiss();
}

/** Takes any complaint away. */
export function dismiss() {
  problem.hidden = true;
}
