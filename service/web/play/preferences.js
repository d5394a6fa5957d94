// What the browser remembers: colours, language, sound, the streak, the catalogue. Where it may not, the page forgets.

const PREFIX = "move-oracle.";
const find = (id) => document.getElementById(id);
let audio = null; // made by the first sound, as browsers demand

/** What was remembered under a name. */
export function remembered(name, otherwise) {
  try {
    return JSON.parse(localStorage.getItem(PREFIX + name)) ?? otherwise;
  } catch {
    return otherwise;
  }
}

/** Remembers a value under a name. */
export function remember(name, value) {
  try {
    localStorage.setItem(PREFIX + name, JSON.stringify(value));
  } catch {
    // Private windows and full disks: the choice holds until the page is left.
  }
}

/** Dresses the page in the colours that were chosen: just now, before, or in another tab. */
export function dress(theme = remembered("theme", "system")) {
  document.documentElement.dataset.theme = theme;
}

/** A short sound for a mark or for the end, where sounds are on; and a tap that can be felt, on phones. */
export function sound(pitch, isOwn) {
  if (isOwn && matchMedia("(pointer: coarse)").matches) navigator.vibrate?.(8);
  if (!find("sound").checked) return;
  audio ??= new AudioContext();
  const [tone, loudness] = [audio.createOscillator(), audio.createGain()];
  tone.frequency.value = pitch;
  loudness.gain.setValueAtTime(0.08, audio.currentTime);
  loudness.gain.exponentialRampToValueAtTime(0.001, audio.currentTime + 0.12);
  tone.connect(loudness).connect(audio.destination);
  tone.start();
  tone.stop(audio.currentTime + 0.13);
}
