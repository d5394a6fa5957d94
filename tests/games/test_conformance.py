"""Every game of the catalogue and some hundred random ones: legal, symmetric, right at every ply, in each kernel."""

import random
from collections.abc import Iterator
from functools import cache

import pytest

from service.engine.oracle import Oracle
from service.games.game import Game, hand_written, permute
from service.games.position import Position
from service.kernel.search import Search, Stopped
from tests.kernel.test_kernel import INTERPRETED
from tests.worlds import (
    CATALOGUED,
    OUTCOME_NAMES,
    memory,
    near_the_end,
    proof,
    rules_of,
    score_from_here,
    score_from_the_start,
    small,
    verdict,
)

RANDOM_GAMES = 300
EMPTIES = 5
"""Empty cells in the positions that the reference solves."""


def random_games() -> Iterator[Game]:
    """Games of every kind in which random play reaches a nearly full board; always the same ones."""
    dice = random.Random(2026)
    while True:
        game = written_game(dice) if dice.random() < 0.25 else random_grid(dice)
        if game.cells > EMPTIES and game.lines and reaches_the_end(game):
            yield game


def random_grid(dice: random.Random) -> Game:
    rows, columns, layers = dice.randint(1, 8), dice.randint(1, 8), dice.choice([1, 1, 1, 2, 3, 4])
    while rows * columns * layers > 64:
        rows, columns, layers = dice.randint(1, 8), dice.randint(1, 8), dice.choice([1, 1, 1, 2, 3, 4])
    in_a_row = dice.randint(2, max(2, rows, columns, layers))
    flags = {name: True for name in ("gravity", "misere", "wrap") if dice.random() < 0.4}
    return small(rows, columns, in_a_row, layers=layers, **flags)


def written_game(dice: random.Random) -> Game:
    cells = dice.choice([6, 9, 12, 16, 25, 63, 64])
    count, longest = dice.randint(1, 40), dice.randint(3, 8)
    lines = [dice.sample(range(cells), min(cells, dice.randint(3, longest))) for _ in range(count)]
    name = f"written-{cells}-{count}-{dice.random()}"
    return hand_written(id=name, name=name, rules="", cells=cells, lines=lines, misere=dice.random() < 0.3)


def reaches_the_end(game: Game) -> bool:
    dice = random.Random(0)
    for _ in range(20):
        position = Position(game, 0, 0, "X")
        while position.legal_moves and position.occupied.bit_count() < game.cells - 1:
            position = position.play(dice.choice(position.legal_moves))
        if position.legal_moves:
            return True
    return False


@cache
def games() -> tuple[Game, ...]:
    found = random_games()
    return (*CATALOGUED, *(next(found) for _ in range(RANDOM_GAMES)))


@cache
def asked() -> Oracle:
    """An oracle without tables: everything is searched."""
    return Oracle()


@cache
def ends(game: Game) -> tuple[Position, ...]:
    return tuple(near_the_end(game, empties=EMPTIES, count=3))


def samples(game: Game, count: int = 3) -> tuple[Position, ...]:
    return ends(game)[:count]


each_chunk = pytest.mark.parametrize("chunk", range(8))


def chunk_of(chunk: int) -> list[Game]:
    """An eighth of the games, so that a failure says roughly where and the tests spread over processes."""
    return list(games()[chunk::8])


def test_the_random_games_are_of_every_kind() -> None:
    drawn = games()[len(CATALOGUED) :]
    assert len(drawn) == RANDOM_GAMES
    kinds: list[list[Game]] = [
        [game for game in drawn if game.gravity],
        [game for game in drawn if game.misere],
        [game for game in drawn if game.wrap],
        [game for game in drawn if game.layers > 1],
        [game for game in drawn if game.layers > 1 and game.gravity],
        [game for game in drawn if game.in_a_row is None],
        [game for game in drawn if game.cells == 64],
    ]
    assert min(map(len, kinds)) >= 3


@each_chunk
def test_the_answer_near_the_end_is_that_of_the_reference(chunk: int) -> None:
    for game in chunk_of(chunk):
        for position in samples(game):
            answer, truth = asked().best_move(position), verdict(position)
            assert (answer.outcome, answer.plies) == (OUTCOME_NAMES[truth.outcome], truth.plies), game.id
            assert answer.score == score_from_here(position)
            assert answer.move == min(truth.best)
            assert proof(asked().best_move(position, seed=0)).best_moves == tuple(sorted(truth.best))


@each_chunk
def test_the_score_holds_at_every_ply_of_the_principal_variation(chunk: int) -> None:
    for game in chunk_of(chunk):
        for start in samples(game, 1):
            promised, position = proof(asked().best_move(start)), start
            for ply, move in enumerate(promised.pv):
                assert move in position.legal_moves
                assert asked().best_move(position).plies == promised.plies - ply
                assert abs(score_from_here(position)) == (abs(promised.score) + ply if promised.score else 0)
                position = position.play(move)
            assert position.status != "in_progress"


@each_chunk
def test_symmetric_positions_have_the_same_score_and_best_moves_that_map_onto_each_other(chunk: int) -> None:
    dice = random.Random(chunk)
    for game in chunk_of(chunk):
        for position in samples(game, 2):
            turn = dice.choice(game.symmetries)
            image = Position(game, permute(position.x, turn), permute(position.o, turn), position.player)
            here, there = (proof(asked().best_move(p, seed=1)) for p in (position, image))
            assert (here.outcome, here.score, here.plies) == (there.outcome, there.score, there.plies), game.id
            assert {turn[move] for move in here.best_moves} == set(there.best_moves)


@each_chunk
def test_the_compiled_the_interpreted_and_the_reference_give_the_same_score(chunk: int) -> None:
    for game in chunk_of(chunk):
        for position in samples(game, 1):
            fast, slow = (kernel(rules_of(game), memory()) for kernel in (Search, INTERPRETED.Search))
            masks = position.mine, position.theirs
            assert fast.score(*masks) == slow.score(*masks) == score_from_the_start(position), game.id
            assert fast.nodes == slow.nodes


@each_chunk
def test_compiled_and_interpreted_search_agree_node_for_node_from_the_empty_board(chunk: int) -> None:
    for game in chunk_of(chunk):
        looks = [outcome(kernel(rules_of(game), memory(), limit=150)) for kernel in (Search, INTERPRETED.Search)]
        assert looks[0] == looks[1], game.id


def outcome(search: Search) -> tuple[int | None, int, int]:
    """Score of the empty board, None if the limit came first, the nodes, and how it looks from afar."""
    ahead = search.look_ahead(0, 0, 1, -(1 << 62), 1 << 62)
    try:
        return search.score(0, 0), search.nodes, ahead
    except Stopped:
        return None, search.nodes, ahead
