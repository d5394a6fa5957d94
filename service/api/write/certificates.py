"""The outcome of a position as a certificate, in lines of JSON."""

from collections.abc import Iterator, Sequence
from typing import Annotated, Literal

from pydantic import Field
from pydantic_core import to_json
from typing_extensions import TypeAliasType, TypedDict

from service.api.problems import Error, Problem, faulty
from service.api.wire.contract import WrittenAs, about
from service.api.wire.fields import Outcome
from service.api.wire.position_fields import PlayerName
from service.api.wire.rules import wire_type
from service.api.write.games import Switches
from service.engine.certificates.certificate import (
    MOST_ENTRIES,
    Certificate,
    Entry,
    Unfinished,
    Unproven,
)
from service.engine.result import ends
from service.games.boards.grid import Wrap
from service.games.families.lines import WRAP, LineGame
from service.games.position import Position


class _Certified(TypedDict):
    """The subject of a certificate."""

    position: Annotated[str, about("The position, as answers write it.", example="XO.......")]
    player: Annotated[PlayerName, about("The player to move.", example="X")]
    outcome: Annotated[Outcome, about("The outcome that the certificate shows, for the player to move.", example="win")]
    symmetries: Annotated[
        Sequence[Sequence[int]],
        about(
            "Permutations of the cells that keep the rules; in ultimate tic-tac-toe, of the nine boards and of the "
            "cells of each. An entry serves also for a position that one of them maps to its own. Cell `c` goes to "
            "cell `symmetry[c]`.",
            example=[[2, 1, 0, 5, 4, 3, 8, 7, 6]],
        ),
    ]


class _Format(TypedDict):
    certificate: Annotated[Literal[2], about("The version of the format.", example=2)]


class _Grid(_Format):
    rows: Annotated[int, about("The number of rows.", example=3)]
    columns: Annotated[int, about("The number of columns.", example=3)]
    layers: Annotated[int, about("The number of layers; 1 on a flat board.", example=1)]
    in_a_row: Annotated[int, about("The number of marks in a row that complete a line.", example=3)]
    gravity: Annotated[bool, about("Whether marks fall to the lowest empty cell of their column.", example=False)]
    misere: Annotated[bool, about("Whether the player who completes a line loses.", example=False)]
    wrap: Annotated[Wrap, WrittenAs(wire_type(WRAP)), about("How the edges are joined.")]


class _Lines(_Format):
    cells: Annotated[int, about("The number of cells.", example=4)]
    misere: Annotated[bool, about("Whether the player who completes a line loses.", example=False)]
    lines: Annotated[
        Sequence[Sequence[int]],
        about("The lines, each as the indices of its cells.", example=[[0, 1, 2], [0, 3]]),
    ]


class GridHeader(_Grid, _Certified):
    """The first line of a certificate about a game on a grid. The fields have this order."""


class LinesHeader(_Lines, _Certified):
    """The first line of a certificate about a game with a list of lines. The fields have this order."""


ClaimedResult = TypeAliasType(
    "ClaimedResult",
    Annotated[
        Literal["win", "draw"],
        about("What the strategy gives the holder, whatever the opponent does.", example="win"),
    ],
)


class _Family(_Format):
    family: Annotated[str, about("The family of the game.", example="vanishing")]
    parameters: Annotated[Switches, about("The switches of the rules. With `family` they are the `game` of a request.")]


class FamilyHeader(_Family, _Certified):
    """The first line of a certificate about a game of another family than line games."""


class ClaimLine(TypedDict):
    """The claim that the following entries prove."""

    holder: Annotated[PlayerName, about("The player who has the strategy.", example="X")]
    at_least: ClaimedResult


CertificateEntry = TypeAliasType(
    "CertificateEntry",
    Annotated[
        list[str | int | list[int | list[int]]],
        Field(min_length=2, max_length=3),
        about(
            "A position with the holder to move, and the holder's move; or a list of cells, the holder's threats with "
            "the only reply to each between. A third element has pairs of cells: from then on the holder answers each "
            "move in its pair.",
            example=["X...O....", 2],
        ),
    ],
)

CertificateLine = TypeAliasType(
    "CertificateLine",
    Annotated[
        GridHeader | LinesHeader | FamilyHeader | ClaimLine | CertificateEntry,
        about(
            "One line of a certificate. The first is the header. A claim follows, and the entries of its strategy; "
            "for a draw a second claim with its entries."
        ),
    ],
)


def no_certificate(found: Unproven | Unfinished, position: Position) -> Problem:
    """Return the problem of a position without a certificate within the limit."""
    kind, code = "certificate-too-large", "unfinished"
    if isinstance(found, Unproven):
        kind = code = "unproven"
        detail = f"The outcome is not proven within the limit: {_what_is_known(found, position.player)}."
    elif found.too_many:
        code = "too-large"
        detail = f"The outcome is proven, but its certificate needs more than {MOST_ENTRIES} entries, the most allowed."
    else:
        detail = (
            f"The outcome is proven, but its certificate had only grown to {found.entries} entries, of at most "
            f"{MOST_ENTRIES}, when the limit was reached."
        )
    instead = ["give a higher limit"] if code != "too-large" else []
    instead += ["build a file by move-oracle proof --output"] if kind != "unproven" else []
    advice = f"{', '.join(instead)}, or ask for a position later in the game."
    return faulty(kind, [Error("", code, f"{detail} {advice.capitalize()}")])


def _what_is_known(found: Unproven, player: str) -> str:
    least, most = ends(found.known)
    if least == "draw":
        return f"{player} does not lose, but may not win"
    return "no result is ruled out yet" if most == "win" else f"{player} does not win, but may lose"


def certificate_lines(certificate: Certificate) -> Iterator[bytes]:
    """Yield the lines of a certificate, in the format of the documentation."""
    symmetric = any(strategy.symmetric for strategy in certificate.strategies)
    yield header_line(certificate.position, certificate.outcome, symmetric=symmetric)
    for strategy in certificate.strategies:
        yield claim_line(strategy.holder, wins=strategy.wins)
        game, turn = certificate.position.game, certificate.position.game.players.index(strategy.holder)
        for state, entry in strategy.entries.items():
            yield entry_line(Position(game, state, turn), entry)


def header_line(position: Position, outcome: Outcome, *, symmetric: bool) -> bytes:
    """Return the header, its fields in the order that the format has; with the symmetries only if ``symmetric``."""
    game = position.game
    fields = (LinesHeader if game.in_a_row is None else GridHeader) if isinstance(game, LineGame) else FamilyHeader
    known = {
        "certificate": 2,
        "position": str(position),
        "player": position.player,
        "outcome": outcome,
        "symmetries": game.proper_symmetries if symmetric else [],
    }
    return _line({name: known[name] if name in known else getattr(game, name) for name in fields.__annotations__})


def claim_line(holder: str, *, wins: bool) -> bytes:
    """Return the line of a claim: that the holder wins, or gets at least a draw."""
    return _line(ClaimLine(holder=holder, at_least="win" if wins else "draw"))


def entry_line(position: Position, entry: Entry) -> bytes:
    """Return the line of a position with the holder to move, the holder's play, and the pairs if there are any."""
    moves = [*map(position.game.move_name, entry.moves)]
    played = moves if len(moves) > 1 else moves[0]
    return _line([str(position), played, entry.pairs] if entry.pairs else [str(position), played])


def _line(value: object) -> bytes:
    return to_json(value) + b"\n"
