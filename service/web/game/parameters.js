// The values of parameters, as the service announces them: which there are, and how a link or a form writes them.

const READ = {
  integer: (text) => (/^\d+$/.test(text.trim()) ? Number(text) : undefined),
  boolean: (text) => ({ true: true, false: false })[text],
  choice: (text, { choices }) => choices.find((choice) => String(choice) === text),
  lines: (text) => text.split(",").map((line) => line.trim().split(/[\s-]+/).filter(Boolean).map(Number)).filter((line) => line.length),
};

/** The value in a text; undefined if the parameter has none like that. */
export function valueIn(parameter, text) {
  const found = READ[parameter.kind](text, parameter);
  return isAllowed(parameter, found) ? found : undefined;
}

/** Whether a parameter may have a value. */
export function isAllowed({ kind, minimum, maximum, choices }, value) {
  if (kind === "boolean") return typeof value === "boolean";
  if (kind === "choice") return choices.includes(value);
  if (kind === "integer") return Number.isInteger(value) && value >= minimum && value <= maximum;
  return value?.length > 0 && value.flat().every((cell) => Number.isInteger(cell) && cell >= minimum && cell <= maximum);
}

/** A value as a text that `valueIn` reads. */
export function written(value) {
  return Array.isArray(value) ? value.map((line) => line.join("-")).join(",") : String(value);
}
