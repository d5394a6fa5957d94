"""The textbook searches count what others have published, and find what the reference and the kernel find."""

import pytest

from service.games.catalogue import MISERE_TIC_TAC_TOE, TIC_TAC_TOE
from service.games.game import Game
from service.games.position import Position
from service.kernel.layout import lay_out
from service.kernel.memory import private_memory
from service.kernel.reference import Reference
from service.kernel.search import Search
from service.kernel.textbook import AlphaBeta, Minimax, TooMany
from tests.worlds import reachable, small

MANY = 10**6

SMALL = [MISERE_TIC_TAC_TOE, small(3, 3, 3, gravity=True), small(2, 3, 2, misere=True), small(2, 2, 2, layers=2)]

each_search = pytest.mark.parametrize("search", [Minimax, AlphaBeta])


def count(search: type[Minimax], *moves: int, game: Game = TIC_TAC_TOE, most: int = MANY) -> Minimax:
    """The search that has solved the position after these moves."""
    position = Position(game, 0, 0, "X")
    for move in moves:
        position = position.play(move)
    counting = search(game, most)
    counting.score(position.mine, position.theirs)
    return counting


def test_plain_minimax_visits_549946_nodes_from_the_empty_board() -> None:
    whole = count(Minimax)
    # 255,168 games: leaves of the tree.
    assert (whole.nodes, whole.branches, whole.nodes - whole.inner) == (549_946, 549_945, 255_168)
    assert (whole.depth, whole.cut_offs) == (9, 0)
    assert whole.branching == pytest.approx(549_945 / 294_778)


@pytest.mark.parametrize(
    ("moves", "branches"),
    [
        pytest.param((4,), 55_504, id="X in the centre"),
        pytest.param((1,), 63_904, id="X on an edge"),
        pytest.param((0,), 59_704, id="X in a corner"),
        pytest.param((1, 0, 2), 1_228, id="X on an edge, then O 0, X 2"),
        pytest.param((1, 0, 2, 3, 6), 44, id="then O 3, X 6"),
        pytest.param((1, 0, 2, 3, 6, 4, 5), 3, id="then O 4, X 5"),
    ],
)
def test_it_makes_the_published_number_of_branches(moves: tuple[int, ...], branches: int) -> None:
    assert count(Minimax, *moves).branches == branches


def test_alpha_beta_visits_20866_nodes_in_the_order_of_the_cells() -> None:
    assert count(AlphaBeta).nodes == 20_866


def test_alpha_beta_leaves_out_only_what_it_cuts_off() -> None:
    cut = count(AlphaBeta, 4, 0, 8)
    whole = count(Minimax, 4, 0, 8)
    assert cut.nodes < whole.nodes
    assert cut.cut_offs > 0
    assert cut.branching < whole.branching


@each_search
@pytest.mark.parametrize("game", SMALL, ids=lambda game: game.id)
def test_they_find_the_score_that_the_kernel_finds(search: type[Minimax], game: Game) -> None:
    kernel = Search(lay_out(game), private_memory(MANY))
    for position in reachable(game)[::7]:
        if position.occupied.bit_count() >= game.cells - 6:
            assert search(game, MANY).score(position.mine, position.theirs) == kernel.score(
                position.mine, position.theirs
            )


@pytest.mark.parametrize("game", SMALL, ids=lambda game: game.id)
def test_plain_minimax_visits_as_many_nodes_as_the_reference(game: Game) -> None:
    below = [cell + game.drop if cell + game.drop < game.cells else None for cell in range(game.cells)]
    reference = Reference(game.cells, game.lines, misere=game.misere, below=below if game.drop else ())
    first = next(position for position in reachable(game) if position.occupied.bit_count() == game.cells - 6)
    board = [True if first.mine >> c & 1 else False if first.theirs >> c & 1 else None for c in range(game.cells)]
    counting = Minimax(game, MANY)
    counting.score(first.mine, first.theirs)
    assert counting.nodes == reference.solve(board).nodes


@each_search
def test_a_finished_game_is_one_node_without_branches(search: type[Minimax]) -> None:
    over = count(search, 0, 3, 1, 4, 2)
    assert (over.nodes, over.branches, over.inner, over.depth, over.branching) == (1, 0, 0, 0, 0.0)


@each_search
def test_a_search_is_given_up_at_the_first_node_too_many(search: type[Minimax]) -> None:
    exactly = count(search, 4, 0, 8).nodes
    assert count(search, 4, 0, 8, most=exactly).nodes == exactly
    with pytest.raises(TooMany):
        count(search, 4, 0, 8, most=exactly - 1)
