// The board editor: any position, with the service's reasons where it cannot arise.

import { standing } from "../oracle/api.js";
import { closer } from "./catalogue.js";
import { button, element, markPicture } from "../board/drawing.js";
import { texts } from "../words/texts.js";
import { english } from "../words/translation.js";

const NEXT = { X: "O", O: null };
const root = document.getElementById("editor");

/** Shows the cells of a state to be set up; `use` is told the board, and who is to move. */
export function open(game, state, use) {
  let cells = [...state.cells];
  const fault = element("p", { className: "fault", role: "alert" });
  const turn = element("select", { id: "editor-turn" }, ...game.players.map((player, index) => element("option", { value: index, textContent: texts.toMove({ player }) })));
  turn.value = state.turn;
  turn.ariaLabel = texts.playerToMove;
  const nodes = cells.map((_, cell) => button("", () => change(cell), "edit-cell"));
  const draw = (cell) => {
    nodes[cell].ariaLabel = `${game.spokenName(cell)}, ${cells[cell] ?? texts.empty}`;
    nodes[cell].replaceChildren(...(cells[cell] ? [markPicture(cells[cell], game.hasDiscs ? "disc" : "pen", "", cell)] : []));
  };
  const change = (cell) => {
    cells[cell] = cells[cell] === null ? "X" : NEXT[cells[cell]];
    turn.value = cells.filter((mark) => mark === "X").length > cells.filter((mark) => mark === "O").length ? 1 : 0;
    fault.textContent = "";
    draw(cell);
  };
  const clear = () => {
    cells = cells.map(() => null);
    cells.forEach((_, cell) => draw(cell));
    turn.value = 0;
    fault.textContent = "";
  };
  const apply = async () => {
    const board = cells.map((mark) => mark ?? ".").join("");
    try {
      await standing({ game: game.asked, board, player: game.players[turn.value] });
    } catch (error) {
      fault.replaceChildren(error.lang ? english(error.message) : error.message);
      return;
    }
    root.close();
    use({ cells, turn: Number(turn.value) });
  };
  cells.forEach((_, cell) => draw(cell));
  const grid = element("div", { className: "edit-grid" }, ...nodes);
  grid.style.setProperty("--columns", game.columns);
  root.replaceChildren(
    element("header", {}, element("h2", { id: "editor-title", textContent: texts.setUp }), closer(() => root.close())),
    element("p", { className: "quiet", textContent: texts.editHint }),
    grid,
    fault,
    element("div", { className: "tools-row" }, turn, button(texts.clear, clear), button(texts.usePosition, apply, "main")),
  );
  root.showModal();
}
