"""The file of a strategy book: lines of text.

The first line is a title with a checksum of what follows. The second describes the game and the build, in JSON. Each
other line is a position, ``X`` for the player of the book, ``O`` for the other one, who is to move; and the most plies
to the end if the book wins.
"""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from typing import Any

from service.book.file import BookFile, InvalidBook, read_book
from service.book.strategy import AnyStrategyBook, Masks, make_holding_book, make_strategy_book
from service.games.catalogue import LINE_GAMES
from service.games.families.lines import LineGame, grid, hand_written

TITLE = "Move Oracle strategy book 1 "
"""Increment the number when the format or the meaning of its lines changes."""

GRID = ("rows", "columns", "layers", "in_a_row", "wrap")
"""The rules of a game on a grid that can have a strategy book."""


@dataclass(frozen=True, slots=True)
class StrategyFile:
    """A strategy book and its description. A search of ``live_nodes`` finds the moves that have no entry."""

    book: AnyStrategyBook
    game: LineGame
    live_nodes: int
    source: str
    checksum: str

    @property
    def plies(self) -> int:
        """The greatest number of marks of its positions."""
        return max(self.book.sizes)

    @property
    def positions(self) -> int:
        """The number of positions; images under automorphisms count once."""
        return len(self.book)


AnyBookFile = BookFile | StrategyFile


def open_book(path: Path) -> AnyBookFile:
    """Read a book of either kind. Raises InvalidBook, which names the file."""
    try:
        with path.open("rb") as file:
            is_strategy = file.read(len(TITLE)) == TITLE.encode()
        return _read(path.read_bytes()) if is_strategy else read_book(path)
    except OSError as error:
        raise InvalidBook(f"{path} cannot be read: {error.strerror}.") from None
    except (KeyError, TypeError, UnicodeDecodeError) as error:
        raise InvalidBook(f"{path} is damaged: {error!r}.") from None
    except InvalidBook as error:
        message = str(error)
        raise InvalidBook(message if message.startswith(str(path)) else f"{path} {message}") from None


def write_strategy(path: Path, game: LineGame, lost: Mapping[Masks, int], *, live_nodes: int, source: str) -> None:
    """Write the strategy book of a win atomically."""
    about = {"game": _rules(game), "digest": game.digest.hex(), "live_nodes": live_nodes, "source": source}
    _write(path, about, [f"{_board(game, *masks)} {lost[masks]}" for masks in _in_order(lost)])


def write_holding(path: Path, game: LineGame, held: Iterable[Masks], *, live_nodes: int, source: str) -> None:
    """Write the strategy book of a draw atomically."""
    about = {"game": _rules(game), "digest": game.digest.hex(), "live_nodes": live_nodes, "source": source}
    _write(path, about | {"outcome": "draw"}, [_board(game, *masks) for masks in _in_order(held)])


def _in_order(positions: Iterable[Masks]) -> list[Masks]:
    return sorted(positions, key=lambda masks: ((masks[0] | masks[1]).bit_count(), masks))


def _write(path: Path, about: Mapping[str, Any], lines: Iterable[str]) -> None:
    body = "".join(f"{line}\n" for line in (json.dumps(about, sort_keys=True), *lines)).encode()
    unfinished = path.with_name(path.name + ".new")
    unfinished.write_bytes(f"{TITLE}{_checksum(body)}\n".encode() + body)
    unfinished.replace(path)


def _read(data: bytes) -> StrategyFile:
    title, _, body = data.partition(b"\n")
    checksum = _checksum(body)
    if title.decode() != TITLE + checksum:
        raise InvalidBook("is damaged or incomplete: its checksum is wrong.")
    about, *entries = body.decode().splitlines()
    known = json.loads(about)
    game = _game(known)
    boards = [line.split() for line in entries]
    book: AnyStrategyBook
    if known.get("outcome") == "draw":
        book = make_holding_book(game, (_masks(board) for (board,) in boards))
    else:
        book = make_strategy_book(game, {_masks(board): int(plies) for board, plies in boards})
    return StrategyFile(book, game, known["live_nodes"], known["source"], checksum)


def _masks(board: str) -> Masks:
    """Return the masks of a board, those of ``O`` first."""
    other, own = (sum(1 << cell for cell, sign in enumerate(board) if sign == player) for player in "OX")
    return other, own


def _rules(game: LineGame) -> dict[str, Any]:
    names = {"id": game.id, "name": game.name, "rules": game.rules}
    if game.in_a_row is None:
        return names | {"cells": game.cells, "lines": game.lines}
    return names | {name: getattr(game, name) for name in GRID}


def _game(about: Mapping[str, Any]) -> LineGame:
    """Return the game of a book. Raises InvalidBook if the game has other rules in this version."""
    rules = about["game"]
    game = LINE_GAMES.get(rules["id"]) or (hand_written(**rules) if "lines" in rules else grid(**rules))
    if game.digest.hex() != about["digest"]:
        raise InvalidBook(f"is for other rules of {game.id} than this version has; build it again.")
    return game


def _board(game: LineGame, other: int, own: int) -> str:
    return "".join("X" if own >> cell & 1 else "O" if other >> cell & 1 else "." for cell in range(game.cells))


def _checksum(body: bytes) -> str:
    return blake2b(body, digest_size=16).hexdigest()
