// Symmetry: which positions are the same board seen otherwise.

/** A text that is the same for all states that are mirror images, rotations or shifts of each other. */
export function canonical(game, state) {
  return game.symmetries.map((cells) => game.seen(state, cells)).sort()[0];
}

/**
 * Every symmetry of a board of cells, as the list of the cells in their new order. Rows become columns only if it `turns`;
 * what falls, falls in all of them.
 */
export function gridSymmetries(game, turns = true) {
  const sizes = [game.layers, game.rows, game.columns];
  const vertical = game.hasDiscs ? (game.layers > 1 ? 0 : 1) : null;
  const keepsSizes = (order) => order.every((from, to) => sizes[from] === sizes[to]);
  const orders = permutations([0, 1, 2]).filter((order) => keepsSizes(order) && (vertical === null || order[vertical] === vertical));
  const mirrors = product(sizes.map((size, axis) => (size > 1 && axis !== vertical ? [false, true] : [false])));
  const shifts = product(sizes.map((size, axis) => (game.wrap && axis !== vertical ? [...Array(size).keys()] : [0])));
  const cells = [...Array(game.cells).keys()];
  return product([turns ? orders : [[0, 1, 2]], mirrors, shifts]).map(([order, mirror, shift]) =>
    cells.map((cell) => {
      const place = [game.layerOf(cell), game.rowOf(cell), game.columnOf(cell)];
      const seen = order.map((axis, to) => (mirror[to] ? sizes[to] - 1 - place[axis] : place[axis]));
      return game.cellAt(...seen.map((number, axis) => (number + shift[axis]) % sizes[axis]));
    }),
  );
}

function permutations(items) {
  if (items.length < 2) return [items];
  return items.flatMap((item) => permutations(items.filter((other) => other !== item)).map((rest) => [item, ...rest]));
}

function product(lists) {
  return lists.reduce((tuples, list) => tuples.flatMap((tuple) => list.map((item) => [...tuple, item])), [[]]);
}
