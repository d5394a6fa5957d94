"""What every game of every family keeps in positions of random games: laws, and the form of positions and moves."""

import pytest

from service.engine.oracle import Analysis
from service.engine.result import OPPOSITE, ProvenResult
from service.games.families.pop_out import PopOutGame
from service.games.game import Game, UnreadableError
from service.games.position import Position, read_position
from service.kernel.states.family import START
from service.kernel.states.retrograde import Graph
from tests.families.games import (
    each_game,
    each_solved_game,
    image_of,
    oracle,
    positions,
    random_games,
    symmetries,
    table_of,
)
from tests.support import sampled

SAMPLED = sampled(4, 40)
"""Positions of each game that are analysed."""

ILLEGAL = 2**64 - 1
"""The first word of what comes after a move that is not legal."""


@each_game
def test_players_take_turns_until_the_game_is_over(game: Game) -> None:
    for played in random_games(game):
        assert [position.player for position in played] == [game.players[ply % 2] for ply in range(len(played))]
        assert all(position.opponent != position.player for position in played)
        assert game.loops or len(played) <= game.most_plies + 1
        assert game.loops or played[-1].status != "in_progress"


@each_game
def test_a_game_is_over_exactly_where_there_is_no_move(game: Game) -> None:
    for position in positions(game):
        assert (position.status == "in_progress") == bool(position.legal_moves)
        assert (position.status == "won") == (position.winner in game.players)
        assert position.winning_line is None or position.status == "won"


@each_game
def test_legal_moves_are_ascending_and_change_a_cell_of_the_board_and_others_are_refused(game: Game) -> None:
    for position in positions(game)[:50]:
        assert list(position.legal_moves) == sorted(set(position.legal_moves))
        for move in position.legal_moves:
            cell, after = game.cell_of(move), position.play(move)
            assert (game.row_of(cell), game.column_of(cell)) == divmod(cell, game.columns)
            assert 0 <= cell < game.cells
            assert str(after) != str(position)
            assert after.contents[cell] != "." or game.family == "pop-out"
        if position.legal_moves:
            others = set(range(game.play.moves)) - set(position.legal_moves)
            assert all(game.play.after(position.words, move)[0] == ILLEGAL for move in others)


@each_game
def test_names_of_moves_are_unique_and_parse_back(game: Game) -> None:
    assert len(game.moves_by_name) == game.play.moves
    for move in range(game.play.moves):
        assert game.moves_by_name[str(game.move_name(move)).lower()] == move


@each_game
def test_a_position_is_read_back_from_its_text_which_no_other_has(game: Game) -> None:
    for position in positions(game):
        assert len(position.contents) == game.cells
        assert read_position(game, str(position), position.player) == position
        if not game.turn_is_free or position.status == "won":
            assert read_position(game, str(position)) == position
        if not game.turn_is_free:
            with pytest.raises(UnreadableError, match=r"\.$"):
                read_position(game, str(position), position.opponent)
    assert len({(str(position), position.player) for position in positions(game)}) == len(positions(game))


@each_game
def test_a_text_that_is_no_position_is_refused_with_a_sentence(game: Game) -> None:
    for text in ("", "?", "X", "." * 68, "0/0"):
        with pytest.raises(UnreadableError, match=r"^[A-Z].*\.$"):
            read_position(game, text)


@each_game
def test_the_states_after_all_moves_are_symmetric_to_those_after_the_moves_of_the_least_image(game: Game) -> None:
    # So the least image is a position of the same game: what can be reached from it is the same up to symmetry.
    assert Position(game).words == START == game.play.least_image(START)
    for position in positions(game)[:60]:
        least = Position(game, game.play.least_image(position.words), position.turn)
        assert game.play.least_image(least.words) == least.words
        assert least.result == position.result
        after, symmetric = (
            sorted(game.play.least_image(seen.play(move).words) for move in seen.legal_moves)
            for seen in (position, least)
        )
        assert after == symmetric


@each_solved_game
def test_law_2_images_of_a_position_have_its_value_its_status_and_its_least_image(game: Game) -> None:
    table = table_of(game)
    for position in positions(game):
        for symmetry in symmetries(game):
            image = read_position(game, image_of(position, symmetry), position.player)
            assert game.play.least_image(image.words) == game.play.least_image(position.words)
            assert table.value(image) == table.value(position)
            assert image.status == position.status


def sampled_positions(game: Game) -> tuple[Position, ...]:
    return positions(game)[:: 1 + len(positions(game)) // SAMPLED]


def proven(known: object) -> ProvenResult:
    assert isinstance(known, ProvenResult)
    return known


@each_solved_game
def test_every_answer_is_proven_by_the_table(game: Game) -> None:
    table = table_of(game)
    for position in sampled_positions(game):
        answer = oracle().best_move(position)
        outcome, plies = table.known_value(position)
        assert (answer.outcome, answer.source, answer.proven) == (outcome, "table", True)
        assert answer.plies == plies or outcome == "draw"
        assert answer.score == game.score(outcome, plies)
        assert (answer.plies is None) == (outcome == "draw" and game.loops and bool(position.legal_moves))


@each_solved_game
def test_law_3_a_position_is_worth_what_its_best_moves_are_and_law_5_every_line_keeps_its_promise(
    game: Game,
) -> None:
    for position in sampled_positions(game):
        if position.legal_moves:
            analysis = oracle().analyse(position)
            assert_the_best_is_worth_most(analysis)
            for move, value in analysis.move_values.items():
                assert_keeps_its_promise(position, move, proven(value))


def assert_the_best_is_worth_most(analysis: Analysis) -> None:
    """A score is the higher, the faster a win and the slower a loss."""
    position, known = analysis.best.position, proven(analysis.known)
    values = {move: proven(value) for move, value in analysis.move_values.items()}
    most = max(value.score for value in values.values())
    assert tuple(values) == position.legal_moves
    assert (known.score, known.best_moves) == (most, tuple(m for m in values if values[m].score == most))
    assert analysis.best.move == known.best_moves[0]
    assert values[known.best_moves[0]].pv == known.pv == analysis.best.pv
    for move, value in values.items():
        after = oracle().best_move(position.play(move))
        assert value.outcome == OPPOSITE[proven(after.known).outcome]
        assert value.plies == (None if value.outcome == "draw" and position.game.loops else (after.plies or 0) + 1)


def assert_keeps_its_promise(start: Position, first: int, value: ProvenResult) -> None:
    """The line is legal, holds its value at every ply, and ends the game or in a position that came before."""
    assert value.pv[0] == first
    position, outcome, passed = start, value.outcome, [start]
    for ply, move in enumerate(value.pv):
        assert move in position.legal_moves
        position, outcome = position.play(move), OPPOSITE[outcome]
        here = oracle().best_move(position)
        assert here.outcome == outcome
        assert value.plies is None or here.plies == value.plies - ply - 1
        assert position not in passed or ply + 1 == len(value.pv)
        passed.append(position)
    if value.plies is None:
        assert position in passed[:-1] or position.status == "drawn"
    else:
        assert not position.legal_moves


@each_solved_game
def test_the_estimate_of_states_is_not_below_their_number_nor_far_above(game: Game) -> None:
    states = Graph(game.play, 1_000_000).states
    assert states <= game.states <= 8 * states + 100


@pytest.mark.parametrize(
    ("both", "winner", "line"),
    [("mover-wins", "X", (3, 4, 5)), ("opponent-wins", "O", (6, 7, 8)), ("draw", None, None)],
)
def test_after_a_pop_that_completes_lines_of_both_the_line_is_that_of_the_winner(
    both: str, winner: str | None, line: tuple[int, ...] | None
) -> None:
    game = PopOutGame(rows=3, columns=3, in_a_row=3, both=both)
    before = read_position(game, "XO.OXXXOO")
    assert (before.player, before.status) == ("X", "in_progress")
    after = before.play(game.moves_by_name["p0"])
    assert str(after) == ".O.XXXOOO"
    assert (after.winner, after.winning_line) == (winner, line)
    assert after.status == ("drawn" if winner is None else "won")
