// The dialog of the settings: colours, language, sound.

import { dress, remember, remembered } from "./preferences.js";
import { choose } from "../words/texts.js";

const find = (id) => document.getElementById(id);

/** Follows the choices of the settings; `onWords` is called when the texts change. */
export function follow(onWords) {
  const dialog = find("settings-dialog");
  find("preferences").addEventListener("click", () => dialog.showModal());
  find("themes").addEventListener("change", ({ target }) => {
    remember("theme", target.value);
    dress(target.value);
  });
  find("languages").addEventListener("change", async ({ target }) => {
    remember("language", target.value);
    await choose(target.value);
    onWords();
  });
  for (const name of ["sound", "plies"]) {
    find(name).checked = remembered(name, false);
    find(name).addEventListener("change", ({ target }) => remember(name, target.checked));
  }
  find("plies").addEventListener("change", onWords);
  const theme = remembered("theme", "system");
  find("themes").querySelector(`[value=${theme}]`)?.click();
  const language = remembered("language", "system");
  for (const box of find("languages").querySelectorAll("input")) box.checked = box.value === language;
}
