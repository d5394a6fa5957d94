"""What every game keeps, from its geometry to best play: those of the catalogue, and random ones of every kind."""

import random
from collections.abc import Iterator
from functools import cache
from itertools import islice, pairwise, product

import pytest

from service.engine.oracle import BestMove, Oracle
from service.games.boards.grid import mask, permute
from service.games.families.lines import OPPONENT, PLAYERS, LineGame, LinePosition, hand_written, line_position, marked
from service.kernel.alpha_beta.search import Search, Stopped
from tests.kernel.test_kernel import INTERPRETED
from tests.support import sampled
from tests.worlds import (
    CATALOGUED,
    OUTCOME_NAMES,
    length,
    memory,
    near_the_end,
    proof,
    rules_of,
    score_from_here,
    score_from_the_start,
    small,
    verdict,
)

RANDOM_GAMES = sampled(20, 60)
EMPTIES = 5
"""Empty cells in the positions that the reference solves."""


def random_games() -> Iterator[LineGame]:
    """Games of every kind in which random play reaches a nearly full board; always the same ones."""
    dice = random.Random(2026)
    while True:
        game = written_game(dice) if dice.random() < 0.25 else random_grid(dice)
        if game.cells > EMPTIES and game.lines and reaches_the_end(game):
            yield game


def random_grid(dice: random.Random) -> LineGame:
    rows, columns, layers = dice.randint(1, 8), dice.randint(1, 8), dice.choice([1, 1, 1, 2, 3, 4])
    while rows * columns * layers > 64:
        rows, columns, layers = dice.randint(1, 8), dice.randint(1, 8), dice.choice([1, 1, 1, 2, 3, 4])
    in_a_row = dice.randint(2, max(2, rows, columns, layers))
    flags = {name: True for name in ("gravity", "misere", "wrap") if dice.random() < 0.4}
    return small(rows, columns, in_a_row, layers=layers, **flags)


def written_game(dice: random.Random) -> LineGame:
    cells = dice.choice([6, 9, 12, 16, 25, 63, 64])
    count, longest = dice.randint(1, 40), dice.randint(3, 8)
    lines = [dice.sample(range(cells), min(cells, dice.randint(3, longest))) for _ in range(count)]
    name = f"written-{cells}-{count}-{dice.random()}"
    return hand_written(id=name, name=name, rules="", cells=cells, lines=lines, misere=dice.random() < 0.3)


def reaches_the_end(game: LineGame) -> bool:
    dice = random.Random(0)
    return any(played_at_random(game, dice)[-1].remaining <= 1 for _ in range(20))


def played_at_random(game: LineGame, dice: random.Random) -> list[LinePosition]:
    """Every position of a game between players who move at random."""
    positions = [line_position(game, 0, 0, "X")]
    while moves := positions[-1].legal_moves:
        positions.append(positions[-1].play(dice.choice(moves)))
    return positions


JOINED = (
    small(3, 3, 3, wrap="moebius"),
    small(3, 4, 3, wrap="cylinder", misere=True),
    small(4, 3, 3, wrap="moebius", gravity=True),
    small(2, 4, 3, wrap="cylinder", gravity=True),
    small(3, 3, 3, layers=2, wrap="moebius"),
)
GAMES = (*CATALOGUED, *JOINED, *islice(random_games(), RANDOM_GAMES))
each_game = pytest.mark.parametrize("game", GAMES, ids=lambda game: f"{game.id} {game.wrap or ''}".rstrip())


@cache
def samples(game: LineGame) -> tuple[LinePosition, ...]:
    """Positions that the reference solves quickly."""
    return tuple(near_the_end(game, empties=EMPTIES, count=sampled(1, 3)))


@cache
def oracle() -> Oracle:
    """An oracle without tables: everything is searched."""
    return Oracle()


def best(position: LinePosition) -> BestMove:
    return oracle().best_move(position, seed=1)


@each_game
def test_lines_are_different_sets_of_cells_in_ascending_order_and_masks_hold_them(game: LineGame) -> None:
    assert len(set(game.lines)) == len(game.lines)
    for line, bits in zip(game.lines, game.line_masks, strict=True):
        assert list(line) == sorted(set(line))
        assert game.in_a_row in (None, len(line))
        assert line == tuple(cell for cell in range(game.cells) if bits >> cell & 1)
    for cell in range(game.cells):
        assert game.lines_through[cell] == tuple((line, mask(line)) for line in game.lines if cell in line)


@each_game
def test_symmetries_are_permutations_that_keep_lines_and_supports_and_follow_each_other(game: LineGame) -> None:
    assert game.symmetries[0] == tuple(range(game.cells))
    assert len(set(game.symmetries)) == len(game.symmetries)
    dice = random.Random(1)
    for symmetry in dice.sample(game.symmetries, min(len(game.symmetries), 16)):
        assert sorted(symmetry) == list(range(game.cells))
        assert {permute(line, symmetry) for line in game.line_masks} == set(game.line_masks)
        for cell in range(game.cells):
            assert permute(game.supports[cell], symmetry) == game.supports[symmetry[cell]]
        next_symmetry = dice.choice(game.symmetries)
        assert tuple(next_symmetry[cell] for cell in symmetry) in game.symmetries


@each_game
def test_play_alternates_on_free_cells_until_a_line_or_a_full_board_ends_it(game: LineGame) -> None:
    for before, after in pairwise(positions := played_at_random(game, random.Random(2))):
        move = (marked(before) ^ marked(after)).bit_length() - 1
        assert before.legal_moves == tuple(
            cell
            for cell, mark in enumerate(str(before))
            if mark == "." and game.supports[cell] & marked(before) == game.supports[cell]
        )
        assert (after.player, *after.words) == (
            OPPONENT[before.player],
            before.words[1],
            before.words[0] | 1 << move,
        )
        assert before.status == "in_progress"
        assert (after.status == "won") == bool(before.game.completed_by(before, before.player, move))
    end = positions[-1]
    line = next((line for line in game.lines if all(str(end)[cell] == OPPONENT[end.player] for cell in line)), None)
    assert end.winning_line == line
    assert end.status == ("won" if line else "drawn")
    assert end.winner == (None if line is None else end.player if game.misere else OPPONENT[end.player])


@each_game
def test_a_move_completes_the_lines_through_it_whose_other_cells_have_the_same_owner(game: LineGame) -> None:
    for position, player in product(played_at_random(game, random.Random(3)), PLAYERS):
        board = str(position)
        completed = {
            move: tuple(
                line
                for line in game.lines
                if move in line and all(board[cell] == player for cell in line if cell != move)
            )
            for move in position.legal_moves
        }
        assert {move: position.game.completed_by(position, player, move) for move in completed} == completed
        assert position.game.completions(position, player) == {
            move: lines for move, lines in completed.items() if lines
        }


@each_game
def test_symmetric_positions_have_one_canonical_form_which_is_one_of_them(game: LineGame) -> None:
    for position in played_at_random(game, random.Random(4))[::5]:
        images = {image(position, symmetry) for symmetry in game.symmetries[:8]}
        assert {each.game.canonical(each) for each in images} == {position.game.canonical(position)}
        assert position.game.canonical(position) in {image(position, symmetry) for symmetry in game.symmetries}


def image(position: LinePosition, symmetry: tuple[int, ...]) -> LinePosition:
    return line_position(
        position.game,
        permute(position.game.masks(position)[0], symmetry),
        permute(position.game.masks(position)[1], symmetry),
        position.player,
    )


@each_game
def test_the_answer_near_the_end_and_both_searches_are_those_of_the_reference(game: LineGame) -> None:
    for position in samples(game):
        answer, truth = oracle().best_move(position), verdict(position)
        assert (answer.outcome, answer.plies) == (OUTCOME_NAMES[truth.outcome], truth.plies)
        assert (answer.score, answer.move) == (score_from_here(position), min(truth.best))
        assert proof(best(position)).best_moves == tuple(sorted(truth.best))
    fast, slow = (kernel(rules_of(game), memory()) for kernel in (Search, INTERPRETED.Search))
    masks = position.words
    assert fast.score(*masks) == slow.score(*masks) == score_from_the_start(position)
    assert fast.nodes == slow.nodes


@each_game
def test_law_5_the_score_holds_at_every_ply_of_the_principal_variation(game: LineGame) -> None:
    promised, position = proof(oracle().best_move(samples(game)[0])), samples(game)[0]
    for ply, move in enumerate(promised.pv):
        assert move in position.legal_moves
        assert oracle().best_move(position).plies == length(promised) - ply
        assert abs(score_from_here(position)) == (abs(promised.score) + ply if promised.score else 0)
        position = position.play(move)
    assert position.status != "in_progress"


@each_game
def test_law_2_symmetric_positions_have_the_same_score_and_best_moves_that_map_onto_each_other(game: LineGame) -> None:
    dice = random.Random(game.id)
    for position in samples(game)[:2]:
        symmetry = dice.choice(game.symmetries)
        here, there = (proof(best(p)) for p in (position, image(position, symmetry)))
        assert (here.outcome, here.score, here.plies) == (there.outcome, there.score, there.plies)
        assert {symmetry[move] for move in here.best_moves} == set(there.best_moves)


@each_game
def test_compiled_and_interpreted_search_agree_node_for_node_and_entry_for_entry(game: LineGame) -> None:
    tables = memory(), memory()
    fast, slow = (
        kernel(rules_of(game), table, limit=400)
        for kernel, table in zip((Search, INTERPRETED.Search), tables, strict=True)
    )
    assert outcome(fast) == outcome(slow)
    assert tables[0] == tables[1]


def outcome(search: Search) -> tuple[int | None, int, int]:
    """Return the score of the empty board, None if the limit came first, the nodes, and the look-ahead."""
    ahead = search.look_ahead(0, 0, 1, -(1 << 62), 1 << 62)
    try:
        return search.score(0, 0), search.nodes, ahead
    except Stopped:
        return None, search.nodes, ahead
