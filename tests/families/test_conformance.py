"""What every game of every family keeps, in positions of random games."""

import random
import re
from collections.abc import Iterator
from functools import cache
from itertools import product
from typing import Any

import pytest

from service.families.catalogue import FAMILIES, FAMILY_GAMES
from service.families.exactly import ExactlyGame
from service.families.game import FamilyGame, UnreadableError
from service.families.morris import MorrisGame
from service.families.notakto import NotaktoGame
from service.families.numerical import NumericalGame
from service.families.order_and_chaos import OrderAndChaosGame
from service.families.pop_out import PopOutGame
from service.families.position import FamilyPosition, read_position
from service.families.vanishing import VanishingGame
from service.kernel.family import START
from service.kernel.retrograde import Graph
from tests.families.test_values import table_of

INLINE: list[tuple[str, dict[str, Any]]] = [
    ("wild", {"rows": 2, "columns": 4, "in_a_row": 3}),
    ("order-and-chaos", {"rows": 3, "columns": 3, "in_a_row": 3, "first": "chaos"}),
    ("notakto", {"boards": 4, "in_a_row": 2}),
    ("numerical", {"misere": True}),
    ("vanishing", {"remove": "after", "misere": True}),
    ("vanishing", {"remove": "before-closed"}),
    ("vanishing", {"rows": 2, "columns": 3, "marks": 3}),
    ("morris", {"points": 13, "moves": "diagonals", "centre": "closed", "stuck": "draw"}),
    ("morris", {"marks": 4, "moves": "king", "centre": "not-first"}),
    ("pop-out", {"rows": 3, "columns": 4, "in_a_row": 3, "both": "opponent-wins"}),
    ("exactly", {"rows": 3, "columns": 5, "in_a_row": 3, "misere": True}),
]
GAMES = {
    **FAMILY_GAMES,
    **{
        " ".join([family, *(f"{name}={value}" for name, value in rules.items())]): FAMILIES[family](**rules)
        for family, rules in INLINE
    },
}
SOLVED = {name: game for name, game in GAMES.items() if game.states <= 100_000}
PLAYED = 30
MOST_PLIES = 60

each_game = pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
each_solved_game = pytest.mark.parametrize("game", SOLVED.values(), ids=SOLVED)


def random_games(game: FamilyGame) -> Iterator[list[FamilyPosition]]:
    """Games from the start to the end, or until they have taken long enough."""
    for seed in range(PLAYED):
        chance = random.Random(seed)
        played = [FamilyPosition(game)]
        while played[-1].legal_moves and len(played) < MOST_PLIES:
            played.append(played[-1].play(chance.choice(played[-1].legal_moves)))
        yield played


@cache
def positions(game: FamilyGame) -> tuple[FamilyPosition, ...]:
    """The positions of random games, each once."""
    return tuple(dict.fromkeys(position for played in random_games(game) for position in played))


@each_game
def test_players_take_turns_and_the_first_of_them_begins(game: FamilyGame) -> None:
    for played in random_games(game):
        assert [position.player for position in played] == [game.players[ply % 2] for ply in range(len(played))]
        assert all(position.opponent != position.player for position in played)


@each_game
def test_a_game_is_over_exactly_where_there_is_no_move(game: FamilyGame) -> None:
    for position in positions(game):
        assert (position.status == "in_progress") == bool(position.legal_moves)
        assert (position.status == "won") == (position.winner in game.players)
        assert position.winning_line is None or position.status == "won"


@each_game
def test_a_game_without_loops_ends_in_time(game: FamilyGame) -> None:
    for played in random_games(game):
        assert game.loops or len(played) <= game.most_plies + 1
        assert game.loops or played[-1].status != "in_progress"


@each_game
def test_legal_moves_are_ascending_and_other_moves_are_refused(game: FamilyGame) -> None:
    for position in positions(game)[:50]:
        assert list(position.legal_moves) == sorted(set(position.legal_moves))
        if position.legal_moves:
            others = set(range(game.play.moves)) - set(position.legal_moves)
            assert all(game.play.after(position.words, move)[0] == 2**64 - 1 for move in others)


@each_game
def test_a_move_changes_its_cell(game: FamilyGame) -> None:
    for position in positions(game)[:50]:
        for move in position.legal_moves:
            cell, after = game.cell_of(move), position.play(move)
            assert 0 <= cell < game.cells
            assert 0 <= game.row_of(cell) < game.rows
            assert 0 <= game.column_of(cell) < game.columns
            assert str(after) != str(position)
            if game.family != "pop-out":
                assert after.contents[cell] != "."


@each_game
def test_names_of_moves_are_unique_and_parse_back(game: FamilyGame) -> None:
    assert len(game.moves_by_name) == game.play.moves
    for move in range(game.play.moves):
        assert game.moves_by_name[str(game.move_name(move)).lower()] == move


@each_game
def test_a_position_is_read_back_from_its_text(game: FamilyGame) -> None:
    for position in positions(game):
        assert read_position(game, str(position), position.player) == position
        assert len(position.contents) == game.cells
        if not game.turn_is_free or position.status != "in_progress":
            assert read_position(game, str(position)) == position


@each_game
def test_different_positions_have_different_texts(game: FamilyGame) -> None:
    texts = {(str(position), position.player) for position in positions(game)}
    assert len(texts) == len(positions(game))


@each_game
def test_the_other_player_is_refused_where_the_board_tells_whose_turn_it_is(game: FamilyGame) -> None:
    if game.turn_is_free:
        return
    for position in positions(game):
        with pytest.raises(UnreadableError, match=r"\.$"):
            read_position(game, str(position), position.opponent)


@each_game
@pytest.mark.parametrize(
    "text", ["", "?", "X", "....................................................................", "0/0"]
)
def test_a_text_that_is_no_position_is_refused_with_a_sentence(game: FamilyGame, text: str) -> None:
    with pytest.raises(UnreadableError, match=r"^[A-Z].*\.$"):
        read_position(game, text)


@each_game
def test_the_least_image_is_its_own_least_image(game: FamilyGame) -> None:
    for position in positions(game):
        least = game.play.least_image(position.words)
        assert game.play.least_image(least) == least


@each_game
def test_the_states_after_all_moves_are_symmetric_to_those_after_the_moves_of_the_least_image(game: FamilyGame) -> None:
    # So the least image is a position of the same game: what can be reached from it is the same up to symmetry.
    for position in positions(game)[:60]:
        least = FamilyPosition(game, game.play.least_image(position.words), position.turn)
        assert least.result == position.result
        after, symmetric = (
            sorted(game.play.least_image(seen.play(move).words) for move in seen.legal_moves)
            for seen in (position, least)
        )
        assert after == symmetric


def square(rows: int, columns: int) -> list[list[int]]:
    """The turns and mirror images of a board, as permutations of its cells."""
    found = []
    for turned, flipped, mirrored in product((False, True), repeat=3):
        if turned and rows != columns:
            continue
        cells = [divmod(cell, columns) for cell in range(rows * columns)]
        cells = [(column, row) if turned else (row, column) for row, column in cells]
        cells = [(rows - 1 - row if flipped else row, columns - 1 - c if mirrored else c) for row, c in cells]
        found.append([row * columns + column for row, column in cells])
    return found


SQUARE = {name: game for name, game in SOLVED.items() if game.rows > 1 and game.family not in ("pop-out", "notakto")}


def seen(text: str, symmetry: list[int]) -> str:
    """The text of a position as a symmetry shows it."""
    if "/" in text:
        return re.sub(r"\d+", lambda cell: str(symmetry[int(cell[0])]), text)
    marks = dict(zip(symmetry, text, strict=True))
    return "".join(marks[cell] for cell in range(len(text)))


@pytest.mark.parametrize("game", SQUARE.values(), ids=SQUARE)
def test_images_of_a_position_have_its_value_and_its_least_image(game: FamilyGame) -> None:
    table = table_of(game)
    for position in positions(game):
        for symmetry in square(game.rows, game.columns):
            image = read_position(game, seen(str(position), symmetry), position.player)
            assert game.play.least_image(image.words) == game.play.least_image(position.words)
            assert table.value(image) == table.value(position)
            assert image.status == position.status


@each_solved_game
def test_the_estimate_of_states_is_not_below_their_number_nor_far_above(game: FamilyGame) -> None:
    states = Graph(game.play, 1_000_000).states
    assert states <= game.states <= 8 * states + 100


@each_solved_game
def test_best_play_keeps_its_promise(game: FamilyGame) -> None:
    table = table_of(game)
    for start in positions(game)[::9]:
        outcome, plies = table.value(start) or ("", None)
        line = table.line(start)
        position, passed = start, [start]
        for move in line:
            assert move in position.legal_moves
            position = position.play(move)
            passed.append(position)
        if plies is not None:
            assert len(line) == plies
            assert position.winner == (start.player if outcome == "win" else start.opponent)
        else:
            assert {table.value(each) for each in passed} == {("draw", None)}
            assert position.status == "drawn" or position in passed[:-1]


@each_game
def test_the_start_is_the_state_of_two_zeros(game: FamilyGame) -> None:
    assert FamilyPosition(game).words == START == game.play.least_image(START)
    assert FamilyPosition(game).status == "in_progress"


GAME: dict[str, FamilyGame] = {
    "morris": MorrisGame(),
    "achi": MorrisGame(marks=4),
    "vanishing": VanishingGame(),
    "after": VanishingGame(remove="after"),
    "pop-out": PopOutGame(rows=3, columns=3, in_a_row=3),
    "numerical": NumericalGame(),
    "notakto": NotaktoGame(),
    "exactly": ExactlyGame(rows=3, columns=3, in_a_row=3),
    "order": OrderAndChaosGame(rows=3, columns=3, in_a_row=3),
}


@pytest.mark.parametrize(
    ("name", "text", "player", "winner"),
    [
        ("morris", "XXXOO.O..", "O", "X"),
        ("morris", "OOOXX.X..", "X", "O"),
        ("vanishing", "X6-3-0/O5-4-1", "O", "X"),
        ("vanishing", "X5-4-1/O6-3-0", "X", "O"),
        ("vanishing", "X0-1-2/O3-4", "O", "X"),
        ("after", "X8-0-1-2/O3-4-7", "O", "X"),
        ("after", "X3-4-7/O8-0-1-2", "X", "O"),
        ("pop-out", "...OO.XXX", "O", "X"),
        ("exactly", "XXXOO....", "O", "X"),
        ("order", "XXX......", "Chaos", "Order"),
        ("numerical", "951.2.4..", "even", "odd"),
        ("notakto", "XXX......", "second", "second"),
    ],
)
def test_a_position_that_is_over_is_read_with_the_loser_or_winner_to_move(
    name: str, text: str, player: str, winner: str
) -> None:
    position = read_position(GAME[name], text)
    assert (position.player, position.winner) == (player, winner)


@pytest.mark.parametrize(
    ("name", "text", "player", "sentence"),
    [
        ("morris", "XXXOO.O..", "X", "X has a line and so has moved last: O is to move, not X."),
        ("morris", "XXXOOO...", None, "X and O both have a line; the first of them has ended the game."),
        ("morris", "XX.XXOOO.", None, "X has 4 marks; each player has 3."),
        ("achi", "XX.......", None, "X has 2 marks and O has 0; X begins and players take turns, so"),
        ("vanishing", "X0/O", "X", "With these marks O is to move, not X."),
        ("vanishing", "X0-1-3-4/O5-6-7", None, "X has 4 marks; a player keeps 3."),
        ("vanishing", "X0-1-2/O5-6-4", "X", "X has a line and so has moved last: O is to move, not X."),
        ("vanishing", "X0-1-2/O", None, "X has 3 marks and O has 0; X begins and players take turns, so"),
        ("vanishing", "X9/O", None, "There is no cell 9; the game has cells 0 to 8."),
        ("vanishing", "X4/O4", None, "Cell 4 is named twice."),
        ("vanishing", "X" + "9" * 5000 + "/O", None, "A position says in which order the marks were written"),
        ("after", "X0-1-2-3/O4-5", None, "X has 4 marks and O has 2; X begins and players take turns, so"),
        ("after", "X0-1-3-5/O4-6-7", None, "X has 4 marks; a player keeps 3."),
        ("after", "X0-1-2-6/O3-4-5-8", None, "X and O both have a line; the first of them has ended the game."),
        ("pop-out", "X........", None, "The disc in cell 0 floats above an empty cell."),
        ("pop-out", "......X..", "X", "After 1 marks O is to move, not X."),
        ("numerical", "11.......", None, "The digit 1 stands in more than one cell; each is used once."),
        ("numerical", "2........", None, "There are 0 odd digits and 1 even ones; odd begins"),
        ("notakto", "O........", None, "Cell 0 contains O; write X, or . for an empty cell."),
        ("exactly", "XX.......", None, "X has 2 marks and O has 0; X begins and players take turns, so"),
        ("order", "X...", None, "The board has 4 cells; the game needs 9."),
    ],
)
def test_what_cannot_be_is_refused_with_its_reason(name: str, text: str, player: str | None, sentence: str) -> None:
    with pytest.raises(UnreadableError) as refused:
        read_position(GAME[name], text, player)
    assert str(refused.value).startswith(sentence)


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
