// The form of own rules: the parameters of a family as the service announces them.

import { standing } from "../oracle/api.js";
import { connection } from "../oracle/connection.js";
import { Board } from "../board/board.js";
import { button, element } from "../board/drawing.js";
import { valueIn, written } from "../game/parameters.js";
import { texts } from "../words/texts.js";
import { aboutFamily, choiceName, english, familyName, parameterName, translated } from "../words/translation.js";

/** The form, at first with the rules of a game; `use` gets the requested game. */
export function ownRules(known, current, use) {
  const family = select(known.families.map((each) => [each.family, familyName(each)]));
  const about = element("p", { className: "quiet" });
  const [list, fault] = [element("div", { className: "own-fields" }), faultOf("own-fault")];
  let fields = [];
  family.id = "own-family";
  const form = element(
    "form",
    { id: "own-rules", className: "own-rules", noValidate: true },
    element("div", { className: "own-family" }, element("label", { htmlFor: "own-family", textContent: texts.family }), family),
    about,
    list,
    fault,
    element("button", { type: "submit", className: "main", textContent: texts.playByRules }),
  );
  const announced = () => known.announced(family.value);
  const show = (values) => {
    about.replaceChildren(aboutFamily(announced()));
    fields = announced().parameters.map((parameter) => new Field(announced(), parameter, values[parameter.name] ?? parameter.example));
    const [cells, lines] = ["cells", "lines"].map((name) => fields.find((field) => field.name === name));
    list.replaceChildren(...fields.map(({ node }) => node), ...(lines ? [sketch(known, announced(), cells, lines)] : []));
    fault.textContent = "";
  };
  const tell = (errors) => {
    for (const field of fields) field.tell(errors.find(({ pointer }) => pointer === `/game/${field.name}`));
    fault.replaceChildren(...errors.filter(({ pointer }) => !fields.some(({ name }) => pointer === `/game/${name}`)).map(({ detail }) => english(detail)));
  };
  const play = async () => {
    tell([]);
    const values = Object.fromEntries(fields.map((field) => [field.name, field.value]));
    if (fields.filter((field) => field.complain()).length) return;
    const errors = await faultsOf(known.asked(announced(), values));
    tell(errors);
    const game = errors.length ? null : known.own(announced(), values);
    if (game) use(game);
    else if (!errors.length) fault.textContent = texts.noSuchRules;
  };
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    if (form.ariaBusy === "true") return;
    form.ariaBusy = "true";
    await play();
    form.ariaBusy = "false";
  });
  family.addEventListener("change", () => show({}));
  const isCurrent = Boolean(known.announced(current.family));
  if (isCurrent) family.value = current.family;
  show(current.isCustom && isCurrent ? current.parameters : {});
  return element("section", {}, element("h3", { textContent: texts.ownRules }), form);
}

/** A board on which lines are drawn, press by press, into their field; it has as many cells as their field says. */
function sketch(known, family, cells, lines) {
  let line = [];
  const area = element("div", {});
  const written = () => (lines.value ?? []).filter((each) => each.every((cell) => cell < cells.value));
  const board = new Board(area, (cell) => draw(line.includes(cell) ? line.filter((other) => other !== cell) : [...line, cell]));
  const add = button(texts.addLine, () => {
    if (line.length) lines.value = [...written(), line];
    draw([]);
  });
  const draw = (chosen) => {
    const game = known.own(family, { cells: cells.value, lines: [[0]] });
    area.hidden = game === null;
    if (!game) return;
    line = chosen.filter((cell) => cell < game.cells);
    const marks = game.start().cells.map((_, cell) => (line.includes(cell) ? "X" : null));
    board.show(game, { state: { ...game.start(), cells: marks }, hints: new Map(), values: null, aim: (cell) => ({ cell }), isOpen: true });
    board.point(null, [...written(), line]);
    add.ariaDisabled = String(!line.length);
  };
  for (const field of [cells, lines]) field.node.addEventListener("input", () => draw(line));
  draw([]);
  return element("div", { className: "sketch" }, element("p", { className: "quiet", textContent: texts.drawLines }), area, add);
}

/** Why the service cannot play by these rules; nothing if it can, or if it cannot be asked. */
async function faultsOf(game) {
  try {
    await standing({ game });
    return [];
  } catch (error) {
    if (connection.isGone) return [];
    return error.errors?.length ? error.errors : [{ pointer: "", detail: error.message }];
  }
}

/** A parameter with its control, what it means, and what is wrong with its value. */
class Field {
  #parameter;
  #control;
  #fault;

  constructor(family, parameter, value) {
    const id = `own-${parameter.name}`;
    this.#parameter = parameter;
    this.#control = CONTROLS[parameter.kind](family, parameter, value);
    this.#fault = faultOf(`${id}-fault`);
    const about = element("p", { id: `${id}-about`, className: "quiet" }, aboutParameter(family, parameter), rangeOf(family, parameter));
    this.#control.id = id;
    this.#control.setAttribute("aria-describedby", `${about.id} ${this.#fault.id}`);
    const label = element("label", { htmlFor: id, textContent: parameterName(family, parameter) });
    this.node = element("div", { className: `own-field ${parameter.kind}` }, label, this.#control, about, this.#fault);
  }

  get name() {
    return this.#parameter.name;
  }

  /** The value that was chosen; undefined if the parameter has none like that. */
  get value() {
    const { type, value, checked } = this.#control;
    return valueIn(this.#parameter, type === "checkbox" ? String(checked) : value);
  }

  set value(value) {
    this.#control.value = written(value);
  }

  /** Says what is wrong with the value, if the parameter has none like that, and whether it does. */
  complain() {
    const isWrong = this.value === undefined;
    if (isWrong) this.tell({ text: texts.outOfRange[this.#parameter.kind](this.#parameter) });
    return isWrong;
  }

  /** Shows what is wrong; nothing if nothing is. */
  tell(error) {
    this.#fault.replaceChildren(error ? (error.text ?? english(error.detail)) : "");
    this.#control.ariaInvalid = error ? "true" : null;
  }
}

const CONTROLS = {
  integer: (family, { minimum, maximum }, value) => element("input", { type: "number", min: minimum, max: maximum, value: value ?? "" }),
  boolean: (family, parameter, value) => element("input", { type: "checkbox", checked: value }),
  choice: (family, parameter, value) => select(parameter.choices.map((choice) => [choice, choiceName(family, parameter, choice)]), value),
  lines: (family, parameter, value) => element("input", { type: "text", value: written(value), autocomplete: "off", spellcheck: false }),
};

function select(options, chosen) {
  return element("select", {}, ...options.map(([value, textContent]) => element("option", { value: String(value), textContent, selected: value === chosen })));
}

function faultOf(id) {
  return element("p", { id, className: "fault", role: "alert" });
}

/** What a parameter means, to be shown. */
function aboutParameter(family, parameter) {
  return translated(family, parameter)?.about ?? english(parameter.about.replaceAll("`", ""));
}

/** Which values a parameter may have, and which it has if nothing is said. */
function rangeOf(family, { kind, minimum, maximum, default: usual, ...parameter }) {
  const told = [kind === "integer" && texts.range({ least: minimum, most: maximum }), ![null, true, false].includes(usual) && texts.usual({ value: choiceName(family, parameter, usual) })];
  return told.some(Boolean) ? ` (${told.filter(Boolean).join("; ")})` : "";
}
