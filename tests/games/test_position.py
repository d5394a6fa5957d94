"""Positions: how they follow from each other, how they end, and how many there are."""

from collections import Counter
from functools import cache

import pytest

from service.games.catalogue import MISERE_TIC_TAC_TOE, TIC_TAC_TOE
from service.games.game import Game, permute
from service.games.position import OPPONENT, PLAYERS, Player, Position
from tests.worlds import each_first_player, each_game, reachable, read_position, small, unfinished

REACHABLE_BY_PLY = [1, 9, 72, 252, 756, 1260, 1520, 1140, 390, 78]
"""5,478 in all; 765 of them and 138 of the finished ones differ by more than a symmetry (Steve Schaefer, 2002)."""

PERFT = [1, 9, 72, 504, 3_024, 15_120, 54_720, 148_176, 200_448, 127_872]
"""Sequences of so many moves from the empty board."""

GAMES_BY_LENGTH = {5: 1_440, 6: 5_328, 7: 47_952, 8: 72_576, 9: 127_872}
GAMES_BY_OWNER_OF_THE_LINE = {"X": 131_184, "O": 77_904, None: 46_080}
"""How the 255,168 games end when X begins (Henry Bottomley, 2001)."""

FALLING = small(3, 3, 3, gravity=True)


@cache
def ways_to_reach(game: Game) -> Counter[Position]:
    """For each position the number of move sequences that lead from the empty board to it."""
    ways = Counter([reachable(game)[0]])
    for before in reachable(game):
        for move in before.legal_moves:
            ways[before.play(move)] += ways[before]
    return ways


def plies_played(position: Position) -> int:
    return position.occupied.bit_count()


def finished(game: Game) -> dict[Position, int]:
    """Each finished position with the number of games that end in it."""
    return {position: ways for position, ways in ways_to_reach(game).items() if position.status != "in_progress"}


@each_game
@each_first_player
def test_5478_positions_can_be_reached(game: Game, first: Player) -> None:
    by_ply = Counter(plies_played(position) for position in reachable(game, first))
    assert [by_ply[ply] for ply in range(10)] == REACHABLE_BY_PLY
    assert by_ply.total() == 5_478


@each_game
def test_765_positions_differ_by_more_than_a_symmetry(game: Game) -> None:
    assert len({position.canonical() for position in reachable(game)}) == 765


@each_game
def test_138_finished_positions_differ_by_more_than_a_symmetry(game: Game) -> None:
    assert len({position.canonical() for position in finished(game)}) == 138


@each_game
def test_as_many_sequences_of_moves_can_be_played_as_published(game: Game) -> None:
    perft: Counter[int] = Counter()
    for position, ways in ways_to_reach(game).items():
        perft[plies_played(position)] += ways
    assert [perft[ply] for ply in range(10)] == PERFT


@each_game
def test_255168_games_can_be_played_of_the_published_lengths(game: Game) -> None:
    lengths: Counter[int] = Counter()
    for position, ways in finished(game).items():
        lengths[plies_played(position)] += ways
    assert lengths == GAMES_BY_LENGTH
    assert lengths.total() == 255_168


@pytest.mark.parametrize(("game", "wins_for"), [(TIC_TAC_TOE, {"X": "X", "O": "O"}), (MISERE_TIC_TAC_TOE, OPPONENT)])
def test_as_many_games_are_won_and_drawn_as_published(game: Game, wins_for: dict[Player, Player]) -> None:
    winners: Counter[Player | None] = Counter()
    for position, ways in finished(game).items():
        winners[position.winner] += ways
    assert {owner: winners[wins_for[owner] if owner else None] for owner in winners} == GAMES_BY_OWNER_OF_THE_LINE


@each_game
def test_62_of_the_958_final_boards_are_full_and_yet_not_drawn(game: Game) -> None:
    final = finished(game)
    full = [position for position in final if position.occupied == game.full]
    assert len(final) == 958
    assert sum(position.status == "won" for position in full) == 62
    assert sum(position.status == "drawn" for position in full) == 16


@each_game
def test_a_full_board_with_a_line_is_a_win_not_a_draw(game: Game) -> None:
    full = read_position("XXX OOX OXO", game=game)
    assert full.status == "won"
    assert full.winning_line == (0, 1, 2)


@each_game
def test_a_full_board_without_a_line_is_a_draw_and_nobody_wins(game: Game) -> None:
    full = read_position("XOX XOO OXX", game=game)
    assert (full.status, full.winner, full.winning_line) == ("drawn", None, None)


@each_game
def test_an_open_board_is_in_progress_and_nobody_wins(game: Game) -> None:
    opened = read_position("X.. .O. ...", game=game)
    assert (opened.status, opened.winner, opened.winning_line) == ("in_progress", None, None)


@pytest.mark.parametrize(("game", "winner"), [(TIC_TAC_TOE, "X"), (MISERE_TIC_TAC_TOE, "O")])
def test_the_owner_of_a_line_wins_but_in_misere_loses(game: Game, winner: Player) -> None:
    won = read_position("XXX OO. ...", game=game)
    assert won.status == "won"
    assert won.winner == winner


@each_game
def test_of_two_lines_completed_at_once_the_first_of_the_game_is_named(game: Game) -> None:
    assert read_position("XOO XOO XXX", game=game).winning_line == (0, 3, 6)


@each_game
def test_the_cells_that_may_be_marked_are_the_empty_ones_in_ascending_order(game: Game) -> None:
    for position in unfinished(game):
        assert position.legal_moves == tuple(cell for cell, mark in enumerate(str(position)) if mark == ".")


@each_game
def test_a_finished_game_has_no_moves(game: Game) -> None:
    assert read_position("XXX OO. ...", game=game).legal_moves == ()
    assert read_position("XOX XOO OXX", game=game).legal_moves == ()


def test_under_gravity_only_the_lowest_empty_cell_of_a_column_may_be_marked() -> None:
    assert read_position("... ... ...", game=FALLING).legal_moves == (6, 7, 8)
    assert read_position("O.. X.. OX.", "X", FALLING).legal_moves == (4, 8)


@each_game
def test_a_move_marks_its_cell_for_the_player_and_hands_over(game: Game) -> None:
    before = read_position("X.. .O. ...", "X", game)
    after = before.play(8)
    assert (str(after), after.player, after.game) == ("X...O...X", "O", game)
    assert str(after.play(1)) == "XO..O...X"
    assert str(before) == "X...O...."


@each_game
def test_mine_is_the_mask_of_the_player_to_move_and_theirs_of_the_other(game: Game) -> None:
    before = read_position("X.. .O. ..X", game=game)
    assert (before.mine, before.theirs, before.occupied) == (1 << 4, 1 | 1 << 8, 1 | 1 << 4 | 1 << 8)
    after = before.play(2)
    assert (after.mine, after.theirs) == (before.theirs, before.mine | 1 << 2)


@each_game
def test_a_move_completes_the_lines_through_it_whose_other_cells_have_the_same_owner(game: Game) -> None:
    for position in unfinished(game):
        board = str(position)
        for player, move in ((player, move) for player in PLAYERS for move in position.legal_moves):
            lines = [line for line in game.lines if move in line]
            full = [line for line in lines if all(board[cell] == player for cell in line if cell != move)]
            assert position.completed_by(player, move) == tuple(full)


@pytest.mark.parametrize("game", [TIC_TAC_TOE, small(2, 3, 2), small(2, 3, 2, gravity=True)])
def test_symmetric_positions_have_one_canonical_form_which_is_one_of_them(game: Game) -> None:
    for position in reachable(game)[::7]:
        images = {
            Position(game, permute(position.x, symmetry), permute(position.o, symmetry), position.player)
            for symmetry in game.symmetries
        }
        assert position.canonical() in images
        assert {image.canonical() for image in images} == {position.canonical()}


def test_a_position_reads_as_its_cells_in_order() -> None:
    assert str(read_position("O.X X.X .OO", "X")) == "O.XX.X.OO"
