"""The textbook searches count what others have published, and find what the reference and the kernel find."""

import pytest

from service.cli.commands.textbook import Minimax, PlainAlphaBeta, TooMany
from service.games.catalogue import MISERE_TIC_TAC_TOE, TIC_TAC_TOE
from service.games.families.lines import LineGame, marked, position_after
from service.kernel.alpha_beta.search import Search
from service.kernel.memory import private_memory
from tests.worlds import reachable, small, verdict

MANY = 10**6

SMALL = [MISERE_TIC_TAC_TOE, small(3, 3, 3, gravity=True), small(2, 3, 2, misere=True), small(2, 2, 2, layers=2)]

each_search = pytest.mark.parametrize("search", [Minimax, PlainAlphaBeta])


def count(search: type[Minimax], *moves: int, most: int = MANY) -> Minimax:
    """The search that has solved the position of tic-tac-toe after these moves."""
    position = position_after(TIC_TAC_TOE, moves)
    counting = search(TIC_TAC_TOE, most)
    counting.score(*position.state)
    return counting


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
def test_plain_minimax_makes_the_published_number_of_branches(moves: tuple[int, ...], branches: int) -> None:
    assert count(Minimax, *moves).branches == branches


@pytest.mark.parametrize("game", SMALL, ids=lambda game: game.id)
def test_they_find_the_score_that_the_kernel_finds_and_minimax_in_as_many_nodes_as_the_reference(
    game: LineGame,
) -> None:
    kernel = Search(game.lay_out(), private_memory(MANY))
    for position in reachable(game)[::7]:
        if marked(position).bit_count() >= game.cells - 6:
            searches = [search(game, MANY) for search in (Minimax, PlainAlphaBeta)]
            scores = {search.score(*position.state) for search in searches}
            assert scores == {kernel.score(*position.state)}
            assert searches[0].nodes == verdict(position).nodes


@each_search
def test_a_search_is_given_up_at_the_first_node_too_many(search: type[Minimax]) -> None:
    exactly = count(search, 4, 0, 8).nodes
    assert count(search, 4, 0, 8, most=exactly).nodes == exactly
    with pytest.raises(TooMany):
        count(search, 4, 0, 8, most=exactly - 1)
