// The page in place of one that is not there: in the language of the reader, but for what the service says.

import { begin } from "./words/texts.js";

begin(location.search).then(() => document.documentElement.classList.remove("translating"));
