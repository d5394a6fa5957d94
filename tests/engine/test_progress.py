"""Progress: what a search reports is about the position that was asked."""

from service.engine.oracle import Oracle
from service.engine.result import Bounds
from service.engine.work.limit import Limit
from service.engine.work.progress import Progress, Step
from service.engine.work.slots import SearchSlots
from service.games.catalogue import QUBIC
from service.games.families.lines import line_position

POSITION = line_position(QUBIC, 0, 0, "X").play(0)


def nothing_yet(nodes: int) -> Step:
    """Return where a search of the position stands that has proven nothing."""
    return Step(POSITION, Bounds(-64, 64, 1), 0, nodes, None, 0, 63)


def test_a_search_tells_of_its_own_position_and_before_it_nothing_is_known() -> None:
    progress = Progress(POSITION)
    assert progress.now() == nothing_yet(nodes=0)
    answer = Oracle().best_move(POSITION, limit=Limit(60, 2_000, progress=progress))
    step = progress.now()
    assert step.move in POSITION.legal_moves
    assert (step.nodes, step.moves) == (answer.nodes, 63)
    assert step.depth > 0


def test_a_long_search_with_a_limit_of_nodes_counts_only_its_second_phase() -> None:
    progress = Progress(POSITION)
    with SearchSlots(1, 0, 1).reserve() as slot:
        answer = Oracle().best_move(POSITION, limit=Limit(60, 20_000, progress=progress), slot=slot)
        assert slot.entered
    assert progress.now().nodes == answer.nodes


def test_what_follows_the_move_of_a_weaker_player_is_counted_but_not_told() -> None:
    progress = Progress(POSITION)
    answer = Oracle().best_move(POSITION, seed=1, skill=50, limit=Limit(60, 2_000, progress=progress))
    assert progress.now() == nothing_yet(answer.nodes)
    assert answer.nodes > 0


def test_an_analysis_tells_how_many_moves_are_settled() -> None:
    position = line_position(QUBIC, 0b0111, 0b1110000, "O")
    progress = Progress(position)
    Oracle().analyse(position, limit=Limit(60, 20_000, progress=progress))
    assert 0 < progress.now().settled <= progress.now().moves == len(position.legal_moves)
