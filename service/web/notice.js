// What the page says: to everybody in the status, to those who listen as it happens, and when something fails.

import { element } from "./drawing.js";

const MOST_SAID = 30;
const [problem, said, gone] = ["problem", "said", "connection"].map((id) => document.getElementById(id));

/** Says something to those who listen. */
export function announce(text) {
  said.append(element("p", { textContent: text }));
  if (said.childElementCount > MOST_SAID) said.firstElementChild.remove();
}

/** Tells what failed, with a button that tries again. */
export function complain(error, retry) {
  const again = element("button", { type: "button", textContent: "Try again" });
  const close = element("button", { type: "button", textContent: "Dismiss" });
  again.addEventListener("click", () => {
    settle();
    retry();
  });
  close.addEventListener("click", settle);
  const title = element("strong", { textContent: error.title ?? "Something went wrong" });
  problem.replaceChildren(element("p", {}, title, " ", error.message), element("div", { className: "tools" }, again, close));
  problem.hidden = false;
}

/** Says that the service is gone, or that it is back. */
export function tellConnection(isGone) {
  gone.textContent = isGone ? "The service is gone. Small games are answered here, and two people can play any." : "The service is back.";
  gone.classList.toggle("gone", isGone);
}

/** Takes the complaint away. */
export function settle() {
  problem.hidden = true;
}
