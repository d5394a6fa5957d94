// Colours that a link asks for: a theme, or a background whose theme is the one that can be read on it; and an accent.

const HEX = /^#?([0-9a-f]{3}|[0-9a-f]{6})$/i;
const THEMES = ["light", "dark"];
const [BLACK, WHITE] = ["#000000", "#ffffff"];

/** Takes the colours of a query, and returns the names of those that are none. */
export function paint(asked) {
  const [accent, background] = ["accent", "background"].map((name) => colourOf(asked.get(name)));
  const root = document.documentElement;
  const theme = THEMES.includes(asked.get("theme")) ? asked.get("theme") : "system";
  root.dataset.theme = background ? (inkOn(background) === WHITE ? "dark" : "light") : theme;
  const values = {
    "--ground": background,
    "--ink": background && inkOn(background),
    "--accent": accent,
    "--on-accent": accent && inkOn(accent),
    "--disc-board": accent,
    "--pencil": accent,
  };
  for (const [name, value] of Object.entries(values)) {
    if (value) root.style.setProperty(name, value);
    else root.style.removeProperty(name);
  }
  return ["accent", "background"].filter((name) => asked.get(name) && !colourOf(asked.get(name)));
}

/** A colour in hexadecimal digits, three or six, as six; null if the text is none. */
function colourOf(text) {
  const digits = HEX.exec(text ?? "")?.[1];
  if (!digits) return null;
  return `#${digits.length === 3 ? [...digits].map((digit) => digit + digit).join("") : digits}`;
}

/** Black or white: the one with the higher contrast on a colour, by WCAG. */
function inkOn(colour) {
  const light = luminance(colour);
  return (light + 0.05) / 0.05 >= 1.05 / (light + 0.05) ? BLACK : WHITE;
}

function luminance(colour) {
  const [red, green, blue] = [1, 3, 5].map((start) => Number.parseInt(colour.slice(start, start + 2), 16) / 255).map((share) => (share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
