// Symmetry: which positions are the same board seen otherwise.

/** A text that is the same for all positions that are mirror images, rotations or shifts of each other. */
export function canonical(game, marks) {
  return symmetries(game)
    .map((cells) => cells.map((cell) => marks[cell] ?? ".").join(""))
    .sort()[0];
}

const known = new WeakMap();

/** Every symmetry of a game's board, as the list of the cells in their new order. */
function symmetries(game) {
  if (!known.has(game)) known.set(game, findSymmetries(game));
  return known.get(game);
}

function findSymmetries(game) {
  if (!game.in_a_row || (game.wrap && game.wrap !== true)) return [[...Array(game.cells).keys()]];
  const sizes = [game.layers, game.rows, game.columns];
  const vertical = game.gravity ? (game.layers > 1 ? 0 : 1) : null;
  const keepsSizes = (order) => order.every((from, to) => sizes[from] === sizes[to]);
  const orders = permutations([0, 1, 2]).filter((order) => keepsSizes(order) && (vertical === null || order[vertical] === vertical));
  const mirrors = product(sizes.map((size, axis) => (size > 1 && axis !== vertical ? [false, true] : [false])));
  const shifts = product(sizes.map((size, axis) => (game.wrap && axis !== vertical ? [...Array(size).keys()] : [0])));
  const cells = [...Array(game.cells).keys()];
  return product([orders, mirrors, shifts]).map(([order, mirror, shift]) =>
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
