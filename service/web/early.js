// Before the first paint: the colours that were chosen; and a page that will not be in English is hidden until its texts
// stand, so that nothing jumps.

import { dress } from "./play/preferences.js";
import { fileOf, preferred } from "./words/language.js";

dress();
addEventListener("storage", () => dress());

const file = fileOf(preferred(location.search));
if (file) {
  document.documentElement.classList.add("translating");
  document.head.append(Object.assign(document.createElement("link"), { rel: "modulepreload", href: file }));
}
