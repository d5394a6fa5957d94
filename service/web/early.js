// Before the first paint: the colours that were chosen, and the letters of headings, which stand in the style sheet; and a page that
// will not be in English is hidden until its texts stand, so that nothing jumps.

import { dress } from "./play/preferences.js";
import { fileOf, preferred } from "./words/language.js";

dress();
document.fonts.load("700 1em Kalam");
addEventListener("storage", () => dress());

const file = fileOf(preferred(location.search));
if (file) {
  document.documentElement.classList.add("translating");
  document.head.append(Object.assign(document.createElement("link"), { rel: "modulepreload", href: file }));
}
