// Before the first paint: a page that will not be in English is hidden until its texts stand, so that nothing jumps.

import { fileOf, preferred } from "./words/language.js";

const file = fileOf(preferred(location.search));
if (file) {
  document.documentElement.classList.add("translating");
  document.head.append(Object.assign(document.createElement("link"), { rel: "modulepreload", href: file }));
}
