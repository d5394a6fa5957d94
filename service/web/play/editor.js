// The board editor: any position, with the service's reasons where it cannot arise.

import { standing } from "../oracle/api.js";
import { Board } from "../board/board.js";
import { closer } from "./catalogue.js";
import { button, element } from "../board/drawing.js";
import { texts } from "../words/texts.js";
import { english } from "../words/translation.js";
import { markName, named } from "../words/words.js";

const root = document.getElementById("editor");

/** Shows the cells of a state to be set up; `use` gets the board and the player to move. */
export function open(game, state, use) {
  let setup = { ...game.readText(game.textOf(state)), turn: state.turn };
  const fault = element("p", { className: "fault", role: "alert" });
  const turn = element("select", { ariaLabel: texts.playerToMove }, ...game.players.map((player, index) => element("option", { value: index, textContent: texts.toMove({ player: named(game, player) }) })));
  const area = element("div", {});
  const board = new Board(area, (cell) => become(changed(game, setup, cell)));
  const become = (next) => {
    setup = next;
    turn.value = setup.turn;
    fault.textContent = "";
    board.show(game, { state: { ...game.start(), ...setup }, hints: new Map(), values: null, aim: (cell) => ({ cell }), isOpen: true });
  };
  const apply = async () => {
    const begun = { ...setup, turn: Number(turn.value) };
    try {
      await standing({ game: game.asked, board: game.textOf(game.setUp(begun)), player: game.players[begun.turn] });
    } catch (error) {
      fault.replaceChildren(error.lang ? english(error.message) : error.message);
      return;
    }
    root.close();
    use(begun);
  };
  root.replaceChildren(
    element("header", {}, element("h2", { id: "editor-title", textContent: texts.setUp }), closer(() => root.close())),
    element("p", { className: "quiet", textContent: texts.editHint({ marks: game.contents.map((mark) => markName(game, mark)) }) }),
    element("div", {}, area),
    fault,
    element("div", { className: "tools-row" }, turn, button(texts.clear, () => become(cleared(game))), button(texts.usePosition, apply, "main")),
  );
  root.showModal();
  become(setup);
}

function cleared({ cells }) {
  return { cells: Array(cells).fill(null), order: [], turn: 0 };
}

/** The position after a press of a cell: the next mark stands there that it can hold, after the last one nothing. */
function changed(game, { cells, order }, cell) {
  const { contents } = game;
  const isFree = (mark) => contents.length < 3 || !cells.includes(mark); // of many marks there is one each
  const next = contents.slice(contents.indexOf(cells[cell]) + 1).find(isFree) ?? null;
  const settled = game.settled(cells.with(cell, next));
  const others = order.filter((each) => each !== cell && settled[each] !== null);
  return { cells: settled, order: settled[cell] === null || !next ? others : [...others, cell], turn: game.turnOf(settled) };
}
