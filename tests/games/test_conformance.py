"""What every game keeps in positions of random games: laws, and the form of positions and moves.

Games of the catalogue, of rules that none of them has, and random games of lines. A new game of the catalogue is in.
"""

import random
from itertools import pairwise, product

import pytest

from service.engine.oracle import Analysis, MoveChoice
from service.engine.result import OPPOSITE, ProvenResult
from service.games.boards.grid import mask, permute
from service.games.families.lines import PLAYERS, LineGame, LinePosition, marked
from service.games.families.pop_out import PopOutGame
from service.games.game import Game, UnreadableError
from service.games.position import Position, read_position
from service.kernel.states.family import START
from service.kernel.states.graph import Graph
from tests.games.games import (
    DECIDED,
    LINE_GAMES,
    decided,
    each,
    each_game,
    each_solved_game,
    few,
    image_of,
    oracle,
    positions,
    random_games,
    symmetries,
    table_of,
    text_of,
)
from tests.support import sampled
from tests.worlds import OUTCOME_NAMES, canonical, is_line, verdict

each_decided_game, each_line_game = each(DECIDED), each(LINE_GAMES)


@each_game
def test_players_take_turns_until_there_is_no_move_and_the_game_is_over(game: Game) -> None:
    for played in random_games(game):
        assert [position.player for position in played] == [game.players[ply % 2] for ply in range(len(played))]
        assert game.loops or len(played) <= game.most_plies + 1
        assert game.loops or not played[-1].legal_moves
    for position in positions(game):
        assert (position.status == "in_progress") == bool(position.legal_moves)
        assert (position.status == "won") == (position.winner in game.players)
        assert position.winning_line is None or position.status == "won"


@each_game
def test_legal_moves_are_ascending_have_no_fault_and_change_a_cell_and_others_have_one(game: Game) -> None:
    for position in few(positions(game), 50):
        assert list(position.legal_moves) == sorted(set(position.legal_moves))
        if position.legal_moves:
            moves = range(game.moves)
            faultless = [move for move in moves if not [*game.move_faults(position.state, position.turn, move)]]
            assert tuple(faultless) == position.legal_moves
        for move in position.legal_moves:
            cell, after = game.cell_of(move), position.play(move)
            assert position.play_anyway(move) == after
            assert game.layers > 1 or (game.row_of(cell), game.column_of(cell)) == divmod(cell, game.columns)
            assert 0 <= cell < game.cells
            assert str(after) != str(position) or game.family == "quixo"  # there a move may push cubes like each other
            assert after.contents[cell] != "." or game.family == "pop-out"


@each_game
def test_names_of_moves_are_unique_and_parse_back(game: Game) -> None:
    assert len(game.moves_by_name) == game.moves
    for move in range(game.moves):
        assert game.moves_by_name[str(game.move_name(move)).lower()] == move


@each_game
def test_a_position_is_read_back_from_its_text_which_no_other_has(game: Game) -> None:
    turn_is_told = not game.needs_turn and not game.either_begins
    for position in positions(game):
        assert len(position.contents) == game.cells
        assert read_position(game, str(position), position.player) == position
        by_own_line = game.family != "quixo" or position.winner == position.opponent
        by_own_line &= game.family != "teeko" or position.winning_line is not None  # a player may be unable to move
        if turn_is_told or (position.status == "won" and by_own_line and not game.either_begins):
            assert read_position(game, str(position)) == position
        if turn_is_told:
            with pytest.raises(UnreadableError, match=r"\.$"):
                read_position(game, str(position), position.opponent)
    assert len({(str(position), position.player) for position in positions(game)}) == len(positions(game))


@each_game
def test_a_text_that_is_no_position_is_refused_with_a_sentence(game: Game) -> None:
    for text in ("", "?", "X", "." * 68, "0/0"):
        with pytest.raises(UnreadableError, match=r"^[A-Z].*\.$"):
            read_position(game, text)


@each_game
def test_no_position_that_play_leads_to_has_a_violation(game: Game) -> None:
    for position in few(positions(game), sampled(200, 20_000)):
        assert not [*game.violations(position.state, position.turn)], str(position)


@each_game
def test_images_of_a_position_have_its_status_and_its_canonical_form_and_its_moves_lead_to_images(game: Game) -> None:
    for position in few(positions(game), 20):
        after = [position.play(move) for move in position.legal_moves]
        for symmetry in symmetries(game):
            image = read_position(game, image_of(position, symmetry), position.player)
            assert canonical(image) == canonical(position)
            assert image.status == position.status
            images = {text_of(image.play(move)) for move in image.legal_moves}
            assert images == {image_of(each, symmetry) for each in after}


@each_solved_game
def test_the_states_after_all_moves_are_symmetric_to_those_after_the_moves_of_the_least_image(game: Game) -> None:
    # So the least image is a position of the same game: what can be reached from it is the same up to symmetry.
    assert Position(game).state == START == game.play.least_image(START)
    for position in positions(game)[:60]:
        least = Position(game, game.play.least_image(position.state), position.turn)
        assert game.play.least_image(least.state) == least.state
        assert least.result == position.result
        after, symmetric = (
            sorted(game.play.least_image(seen.play(move).state) for move in seen.legal_moves)
            for seen in (position, least)
        )
        assert after == symmetric


def proven(known: object) -> ProvenResult:
    assert isinstance(known, ProvenResult)
    return known


@each_decided_game
def test_law_2_symmetric_positions_have_the_same_value_and_best_moves_that_map_onto_each_other(game: Game) -> None:
    for position in decided(game):
        here = proven(oracle().best_move(position, MoveChoice(1)).known)
        for symmetry in symmetries(game)[-2:]:
            image = read_position(game, image_of(position, symmetry), position.player)
            there = proven(oracle().best_move(image, MoveChoice(1)).known)
            assert (here.outcome, here.score, here.plies) == (there.outcome, there.score, there.plies)
            images = {image_of(position.play(move), symmetry) for move in here.best_moves}
            assert images == {text_of(image.play(move)) for move in there.best_moves}


@each_decided_game
def test_every_answer_is_that_of_the_reference_or_of_the_table(game: Game) -> None:
    for position in decided(game):
        answer = oracle().best_move(position, MoveChoice(1))
        outcome, plies, best = truth(position)
        assert (answer.outcome, answer.proven, answer.score) == (outcome, True, game.score(outcome, plies))
        assert answer.plies == plies or (outcome, plies) == ("draw", None)
        assert (answer.plies is None) == (outcome == "draw" and game.loops and bool(position.legal_moves))
        assert proven(answer.known).best_moves == best
        assert answer.source == ("table" if game.engine == "states" else answer.source)


def truth(position: Position) -> tuple[str, int | None, tuple[int, ...]]:
    """The outcome, the plies and the best moves."""
    if is_line(position):
        known = verdict(position)
        return OUTCOME_NAMES[known.outcome], known.plies, tuple(sorted(known.best))
    table = table_of(position.game)
    return (*table.known_value(position), table.best_moves(position))


@each_decided_game
def test_law_3_a_position_is_worth_what_its_best_moves_are_and_law_5_every_line_keeps_its_promise(game: Game) -> None:
    for position in decided(game):
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
    best = tuple(move for move, value in values.items() if value.score == most)
    assert known.score == most
    assert known.best_moves in (best, best[:1])  # without a seed a search looks for the first of them only
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
    is_best = value.plies == oracle().best_move(start).plies
    for ply, move in enumerate(value.pv):
        assert move in position.legal_moves
        position, outcome = position.play(move), OPPOSITE[outcome]
        here = oracle().best_move(position)
        assert here.outcome == outcome
        assert value.plies is None or here.plies == value.plies - ply - 1
        # A defence may take back what another move than the best has done: only then is the start passed twice.
        assert position not in passed[not is_best :] or ply + 1 == len(value.pv)
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
    before = read_position(PopOutGame(rows=3, columns=3, in_a_row=3, both=both), "XO.OXXXOO")
    after = before.play(before.game.moves_by_name["p0"])
    assert (str(after), after.winner, after.winning_line) == (".O.XXXOOO", winner, line)


@each_line_game
def test_lines_are_different_sets_of_cells_in_ascending_order_which_symmetries_keep(game: LineGame) -> None:
    assert len(set(game.lines)) == len(game.lines)
    for line, bits in zip(game.lines, game.line_masks, strict=True):
        assert list(line) == sorted(set(line))
        assert game.in_a_row in (None, len(line))
        assert line == tuple(cell for cell in range(game.cells) if bits >> cell & 1)
    for cell in range(game.cells):
        assert game.lines_through[cell] == tuple((line, mask(line)) for line in game.lines if cell in line)
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


def line_games(game: LineGame, most: int) -> list[list[LinePosition]]:
    """A few random games."""
    return [[position for position in played if is_line(position)] for played in [*random_games(game)][:most]]


@each_line_game
def test_marks_stand_on_free_cells_until_a_line_or_a_full_board_ends_the_game(game: LineGame) -> None:
    for played in line_games(game, 3):
        for before, after in pairwise(played):
            free = [cell for cell, mark in enumerate(str(before)) if mark == "."]
            supported = [cell for cell in free if game.supports[cell] & ~marked(before) == 0]
            assert list(before.legal_moves) == supported
            move = (marked(before) ^ marked(after)).bit_length() - 1
            assert after.state == (before.state[1], before.state[0] | 1 << move)
            assert (after.status == "won") == bool(game.completed_by(before, before.player, move))
        end = played[-1]
        line = next((line for line in game.lines if {str(end)[cell] for cell in line} == {end.opponent}), None)
        assert (end.winning_line, end.status) == (line, "won" if line else "drawn")
        assert end.winner == (None if line is None else end.player if game.misere else end.opponent)


@each_line_game
def test_a_move_completes_the_lines_through_it_whose_other_cells_have_the_same_owner(game: LineGame) -> None:
    for position, player in product(line_games(game, 1)[0], PLAYERS):
        board = str(position)
        completed = {
            move: tuple(
                line
                for line in game.lines
                if move in line and all(board[cell] == player for cell in line if cell != move)
            )
            for move in position.legal_moves
        }
        assert {move: game.completed_by(position, player, move) for move in completed} == completed
        assert game.completions(position, player) == {move: lines for move, lines in completed.items() if lines}
