// Before the first paint: the colours that were chosen, and the letters of headings, which stand in the style sheet; and a page that
// will not be in English is hidden until its texts stand, so that nothing jumps.

import { dress } from "./play/preferences.js";
import { fileOf, preferred } from "./words/language.js";

dress();
document.fonts.load("700 1em Kalam");
addEventListener("storage", () => dress());

function ahead(rel, href, as = "") {
  document.head.append(Object.assign(document.createElement("link"), { rel, href, as }));
}

// A link to a game is shown with the parts that analyse it.
if (/[?&](game|moves|drops|board|hints|family|rows|cells)=/.test(location.search)) {
  for (const { content } of document.querySelectorAll("meta[name=script-of-links]")) ahead("modulepreload", content);
  for (const { content } of document.querySelectorAll("meta[name=style-of-parts]")) ahead("preload", content, "style");
}

const file = fileOf(preferred(location.search));
if (file) {
  document.documentElement.classList.add("translating");
  ahead("modulepreload", file);
}
