"""The games with an id. Add an entry to add a game: everything else follows from the data."""

import unicodedata
from collections.abc import Mapping
from types import MappingProxyType

from service.games.families.exactly import ExactlyGame
from service.games.families.lines import LineGame, grid
from service.games.families.moving.dao import DaoGame
from service.games.families.moving.mills import MillsGame
from service.games.families.moving.morris import MorrisGame
from service.games.families.moving.quixo import QuixoGame
from service.games.families.moving.teeko import TeekoGame
from service.games.families.neighbours import NeighboursGame
from service.games.families.notakto import NotaktoGame
from service.games.families.numerical import NumericalGame
from service.games.families.pop_out import PopOutGame
from service.games.families.ultimate import UltimateGame
from service.games.families.vanishing import VanishingGame
from service.games.families.wild import OrderAndChaosGame, WildGame
from service.games.game import Game, Value
from service.games.states import StateGame

OWN = "Solved by this service."
MNK = "J. W. H. M. Uiterwijk and H. J. van den Herik, The advantage of the initiative, 2000."
TROMP = "John Tromp, John's Connect Four Playground; solved by this service too."

TIC_TAC_TOE = grid(
    id="tic-tac-toe",
    name="Tic-tac-toe",
    rules="Players take turns to mark an empty cell; the first with three in a row wins.",
    rows=3,
    columns=3,
    in_a_row=3,
    value=Value(outcome="draw", plies=9, source="Solved completely by this service when it starts."),
)

MISERE_TIC_TAC_TOE = grid(
    id="misere-tic-tac-toe",
    name="Misère tic-tac-toe",
    rules="Players take turns to mark an empty cell; the first with three in a row loses.",
    rows=3,
    columns=3,
    in_a_row=3,
    misere=True,
    value=Value(outcome="draw", plies=9, source=OWN),
)

WRAPPED_TIC_TAC_TOE = grid(
    id="wrapped-tic-tac-toe",
    name="Wrapped tic-tac-toe",
    rules="Players take turns to mark an empty cell of a board with joined opposite edges; three in a row wins.",
    rows=3,
    columns=3,
    in_a_row=3,
    wrap=True,
    value=Value(outcome="win", plies=7, source=OWN),
)

TIC_TAC_TOE_4X4 = grid(
    id="tic-tac-toe-4x4",
    name="Tic-tac-toe 4x4",
    rules="Players take turns to mark an empty cell of a 4x4 board; the first with four in a row wins.",
    rows=4,
    columns=4,
    in_a_row=4,
    value=Value(outcome="draw", plies=16, source=OWN),
)

WRAPPED_TIC_TAC_TOE_4X4 = grid(
    id="wrapped-tic-tac-toe-4x4",
    name="Wrapped tic-tac-toe 4x4",
    rules="Players take turns to mark an empty cell of a 4x4 board with joined opposite edges; four in a row wins.",
    rows=4,
    columns=4,
    in_a_row=4,
    wrap=True,
    value=Value(outcome="draw", plies=16, source=OWN),
)

FOUR_IN_A_ROW_5X5 = grid(
    id="four-in-a-row-5x5",
    name="Four in a row on 5x5",
    rules="Players take turns to mark an empty cell of a 5x5 board; the first with four in a row wins.",
    rows=5,
    columns=5,
    in_a_row=4,
    value=Value(outcome="draw", plies=25, source=OWN),
)

FIVE_IN_A_ROW_6X6 = grid(
    id="five-in-a-row-6x6",
    name="Five in a row on 6x6",
    rules="Players take turns to mark an empty cell of a 6x6 board; the first with five in a row wins.",
    rows=6,
    columns=6,
    in_a_row=5,
    value=Value(outcome="draw", plies=36, source=MNK),
)

FIVE_IN_A_ROW_8X8 = grid(
    id="five-in-a-row-8x8",
    name="Five in a row on 8x8",
    rules="Players take turns to mark an empty cell of an 8x8 board; the first with five in a row wins.",
    rows=8,
    columns=8,
    in_a_row=5,
    value=Value(
        outcome="draw",
        plies=64,
        source="W.-Y. Hsu et al., On solving the 7,7,5-game and the 8,8,5-game, 2020; solved by this service too.",
    ),
)

TIC_TAC_TOE_3D = grid(
    id="tic-tac-toe-3d",
    name="Three-dimensional tic-tac-toe",
    rules="Players take turns to mark an empty cell of a 3x3x3 cube; the first with three in a row wins.",
    rows=3,
    columns=3,
    layers=3,
    in_a_row=3,
    value=Value(outcome="win", plies=7, source=OWN),
)

QUBIC = grid(
    id="qubic",
    name="Qubic",
    rules="Players take turns to mark an empty cell of a 4x4x4 cube; the first with four in a row wins.",
    rows=4,
    columns=4,
    layers=4,
    in_a_row=4,
    value=Value(
        outcome="win",
        plies=None,
        source="Oren Patashnik, Qubic: 4x4x4 tic-tac-toe, 1980; confirmed by Victor Allis and Patrick Schoo, 1992.",
    ),
)

CONNECT_FOUR = grid(
    id="connect-four",
    name="Connect Four",
    rules="Players take turns to drop a mark into one of 7 columns of 6 cells; the first with four in a row wins.",
    rows=6,
    columns=7,
    in_a_row=4,
    gravity=True,
    value=Value(
        outcome="win",
        plies=41,
        source="James D. Allen and, independently, Victor Allis, 1988; the distance from John Tromp.",
    ),
)

CONNECT_FOUR_5X4 = grid(
    id="connect-four-5x4",
    name="Connect Four 5x4",
    rules="Players take turns to drop a mark into one of 5 columns of 4 cells; the first with four in a row wins.",
    rows=4,
    columns=5,
    in_a_row=4,
    gravity=True,
    value=Value(outcome="draw", plies=20, source=TROMP),
)

CONNECT_FOUR_5X5 = grid(
    id="connect-four-5x5",
    name="Connect Four 5x5",
    rules="Players take turns to drop a mark into one of 5 columns of 5 cells; the first with four in a row wins.",
    rows=5,
    columns=5,
    in_a_row=4,
    gravity=True,
    value=Value(outcome="draw", plies=25, source=TROMP),
)

CONNECT_FOUR_6X5 = grid(
    id="connect-four-6x5",
    name="Connect Four 6x5",
    rules="Players take turns to drop a mark into one of 6 columns of 5 cells; the first with four in a row wins.",
    rows=5,
    columns=6,
    in_a_row=4,
    gravity=True,
    value=Value(outcome="draw", plies=30, source=TROMP),
)

SCORE_FOUR = grid(
    id="score-four",
    name="Score Four",
    rules="Connect Four in three dimensions: players take turns to drop a mark into one of 16 columns of 4 cells; the "
    "first with four in a row wins.",
    rows=4,
    columns=4,
    layers=4,
    in_a_row=4,
    gravity=True,
)

LINE_GAMES: Mapping[str, LineGame] = MappingProxyType(
    {
        game.id: game
        for game in (
            TIC_TAC_TOE,
            MISERE_TIC_TAC_TOE,
            WRAPPED_TIC_TAC_TOE,
            TIC_TAC_TOE_4X4,
            WRAPPED_TIC_TAC_TOE_4X4,
            FOUR_IN_A_ROW_5X5,
            FIVE_IN_A_ROW_6X6,
            FIVE_IN_A_ROW_8X8,
            TIC_TAC_TOE_3D,
            QUBIC,
            CONNECT_FOUR,
            CONNECT_FOUR_5X4,
            CONNECT_FOUR_5X5,
            CONNECT_FOUR_6X5,
            SCORE_FOUR,
        )
    }
)
"""The games of lines by their ids."""


def _value(outcome: str, plies: int | None) -> Value:
    return Value(outcome, plies, "Solved by this service.")


OPEN = Value("win", None, "G. Bertholon et al., At most 43 moves, at least 29, 2020; proven by this service too.")

STEELE = "Guy L. Steele Jr., 1998; solved by this service too."


STATE_GAMES: Mapping[str, StateGame] = MappingProxyType(
    {
        game.id: game
        for game in (
            WildGame(
                id="wild-tic-tac-toe",
                name="Wild tic-tac-toe",
                rows=3,
                columns=3,
                in_a_row=3,
                value=_value("win", 7),
            ),
            WildGame(
                id="misere-wild-tic-tac-toe",
                name="Misère wild tic-tac-toe",
                rows=3,
                columns=3,
                in_a_row=3,
                misere=True,
                value=_value("draw", 9),
            ),
            NotaktoGame(id="notakto", name="Notakto", value=_value("win", 6)),
            NotaktoGame(id="notakto-2", name="Notakto on two boards", boards=2, value=_value("loss", 11)),
            NotaktoGame(id="notakto-3", name="Notakto on three boards", boards=3, value=_value("win", 14)),
            NotaktoGame(id="treblecross", name="Treblecross", rows=1, columns=8, misere=False, value=_value("win", 5)),
            OrderAndChaosGame(
                id="order-and-chaos-4x4",
                name="Order and Chaos on 4x4",
                rows=4,
                columns=4,
                in_a_row=4,
                value=_value("win", 13),
            ),
            OrderAndChaosGame(id="order-and-chaos-6x6", name="Order and Chaos on 6x6", rows=6, columns=6, in_a_row=5),
            OrderAndChaosGame(
                id="order-and-chaos-6x6-exactly",
                name="Order and Chaos on 6x6, exactly five",
                rows=6,
                columns=6,
                in_a_row=5,
                overlines=False,
                value=_value("loss", 36),
            ),
            NumericalGame(id="numerical-tic-tac-toe", name="Numerical tic-tac-toe", value=_value("win", 9)),
            VanishingGame(id="vanishing-tic-tac-toe", name="Vanishing tic-tac-toe", value=_value("draw", None)),
            MorrisGame(id="three-mens-morris", name="Three men's morris", value=_value("win", 9)),
            MorrisGame(id="tapatan", name="Tapatan", moves="diagonals", stuck="draw", value=_value("win", 9)),
            MorrisGame(id="achi", name="Achi", marks=4, moves="diagonals", value=_value("win", 11)),
            MorrisGame(id="picaria", name="Picaria", points=13, moves="diagonals", value=_value("win", 5)),
            MillsGame(id="six-mens-morris", name="Six men's morris", value=_value("draw", None)),
            MillsGame(id="five-mens-morris", name="Five men's morris", marks=5, value=_value("draw", None)),
            PopOutGame(id="pop-out-4x4", name="Pop-out Connect Four 4x4", rows=4, columns=4, value=_value("loss", 24)),
            PopOutGame(
                id="pop-out-5x4", name="Pop-out Connect Four 5x4", rows=4, columns=5, value=_value("draw", None)
            ),
            ExactlyGame(
                id="exactly-three-4x4",
                name="Exactly three in a row on 4x4",
                rows=4,
                columns=4,
                in_a_row=3,
                value=_value("win", 5),
            ),
            NeighboursGame(id="col-4x4", name="Col on 4x4", rows=4, columns=4, value=_value("loss", 12)),
            NeighboursGame(
                id="snort-4x4", name="Snort on 4x4", rows=4, columns=4, apart="other", value=_value("loss", 12)
            ),
            TeekoGame(id="teeko", name="Teeko", value=Value("draw", None, STEELE)),
            TeekoGame(id="advanced-teeko", name="Advanced Teeko", squares="all", value=Value("win", 13, STEELE)),
            DaoGame(id="dao", name="Dao", value=_value("draw", None)),
            QuixoGame(id="quixo-3x3", name="Quixo on 3x3", side=3, value=_value("win", 7)),
            QuixoGame(id="quixo-4x4", name="Quixo on 4x4", value=_value("win", 21)),
            UltimateGame(id="ultimate-tic-tac-toe", name="Ultimate tic-tac-toe"),
            UltimateGame(
                id="ultimate-tic-tac-toe-open",
                name="Ultimate tic-tac-toe with open boards",
                finished="open",
                value=OPEN,
            ),
        )
    }
)
"""Every game of a family that has a name, by its id."""

FAMILIES: Mapping[str, type[StateGame]] = MappingProxyType({game.family: type(game) for game in STATE_GAMES.values()})
"""Every family by its name: those with a game above."""

CATALOGUE: Mapping[str, Game] = MappingProxyType({**LINE_GAMES, **STATE_GAMES})
"""Every game by its id, in the order in which ``GET /games`` lists them."""

DEFAULT_GAME = TIC_TAC_TOE


DIGITS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")


def _spelled(name: str) -> str:
    """Return the letters of a name without accents, and its digits as words."""
    letters = unicodedata.normalize("NFKD", name.casefold())
    return "".join(DIGITS[int(letter)] if letter.isdecimal() else letter for letter in letters if letter.isalnum())


_BY_NAME: Mapping[str, Game] = MappingProxyType(
    {_spelled(name): game for game in CATALOGUE.values() for name in (game.id, game.name)}
)


def game_called(name: str) -> Game | None:
    """Return the game with this id or name, however that is spelled; None if there is none.

    ``Connect 4``, ``connect_four`` and ``connect4`` are ``connect-four``.
    """
    return CATALOGUE.get(name) or _BY_NAME.get(_spelled(name))
