"""Thousands of requests of every kind, the same at every run, and what an application answers to each.

``python -m tests.corpus FILE`` writes one line for each: status, caching headers, a digest of the body, the request.
The files of two versions of the service, or of two ways to serve it, can be compared line by line.
"""

import json
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from hashlib import blake2b
from pathlib import Path
from random import Random
from typing import Any

from flask.testing import FlaskClient

from service.app import create_app
from service.games.catalogue import LINE_GAMES
from service.games.families.lines import LineGame, LinePosition, line_position
from service.games.inline import game_by_lines, grid_by_rules
from service.settings import Settings

SEED = 13
STREAM = "application/x-ndjson"
KEPT_HEADERS = ["Content-Type", "Cache-Control", "ETag", "Allow", "Location", "Retry-After"]
PAGES = (
    *("/embed", "/learn", "/docs", "/openapi.yaml", "/openapi.json", "/healthz", "/readyz", "/version", "/games"),
    *("/", "/problems", "/problems/not-found", "/problems/none", "/games/none", "/favicon.ico"),
    *("/best-move/", "//best-move", "/Best-Move"),
    *(f"/games/{game}" for game in LINE_GAMES),
    *("/page/main.js", "/page/page.css", "/page/none.js", "/page/../app.py", "/%2e%2e/app.py", "/best%2Dmove"),
)
NODES = (1, 20, 300, 3000)

Json = dict[str, Any]


@dataclass(frozen=True)
class Asked:
    """One request."""

    method: str
    path: str
    body: bytes = b""
    headers: dict[str, str] = field(default_factory=dict)

    def __str__(self) -> str:
        headers = "".join(f" {name}={value}" for name, value in self.headers.items())
        return f"{self.method} {self.path}{headers} {self.body.decode('utf-8', 'backslashreplace')[:300]}"


def corpus() -> Iterator[Asked]:
    """Yield the requests; none of them depends on the time that its answer takes."""
    dice = Random(SEED)
    kinds: dict[Callable[[Random], Asked], int] = {
        _position: 2500,
        _stream: 300,
        _batch: 300,
        _review: 500,
        _proof: 200,
        _by_query: 600,
        _spoiled: 700,
        _page: 150,
        _picture: 400,
        _random_position: 100,
        _puzzles: 60,
    }
    for kind, count in kinds.items():
        for _ in range(count):
            yield kind(dice)
    yield from (Asked(method, path) for path in PAGES for method in ("GET", "HEAD", "POST", "OPTIONS", "DELETE"))


def answer(client: FlaskClient, asked: Asked) -> str:
    """Return what matters of an answer, as a line."""
    response = client.open(asked.path, method=asked.method, data=asked.body or None, headers=asked.headers)
    body = response.get_data()
    if response.content_type == STREAM:  # the lines before the last tell how far the search is, by the clock
        body = body.splitlines()[-1]
    headers = {name: response.headers[name] for name in KEPT_HEADERS if name in response.headers}
    return f"{response.status_code} {headers} {blake2b(body, digest_size=12).hexdigest()} {asked}"


def _game(dice: Random) -> tuple[LineGame, object]:
    """A game, and how a request names it."""
    choice = dice.random()
    if choice < 0.6:
        named = dice.choice([*LINE_GAMES])
        return LINE_GAMES[named], named
    if choice < 0.8:
        columns, rows, layers = dice.randint(1, 5), dice.randint(1, 4), dice.choice((1, 1, 2))
        rules = {"rows": rows, "columns": columns, "in_a_row": dice.randint(1, max(rows, columns))}
        flags = {name: dice.random() < 0.3 for name in ("gravity", "misere", "wrap")}
        return grid_by_rules(**rules, **flags, layers=layers), {**rules, **flags, "layers": layers}
    cells = dice.randint(1, 14)
    lines = tuple(tuple(sorted(dice.sample(range(cells), dice.randint(1, min(cells, 4))))) for _ in range(4))
    misere = dice.random() < 0.5
    by_lines = {"cells": cells, "lines": [[*line] for line in lines], "misere": misere}
    return game_by_lines(cells=cells, lines=lines, misere=misere), by_lines


def _played(dice: Random, game: LineGame) -> tuple[LinePosition, list[int]]:
    """A position and the moves that led there, sometimes to the end."""
    position, moves = line_position(game, 0, 0, "X"), list[int]()
    for _ in range(dice.randint(0, game.cells)):
        if not position.legal_moves:
            break
        moves.append(dice.choice(position.legal_moves))
        position = position.play(moves[-1])
    return position, moves


def _written(dice: Random, position: LinePosition) -> object:
    """The board in one of the notations."""
    text, columns = str(position), position.game.columns
    rows = [text[i : i + columns] for i in range(0, len(text), columns)]
    numbers = [{"X": 1, "O": -1, ".": 0}[mark] for mark in text]
    emoji = text.translate(str.maketrans("XO.", "🔴🟡⬜"))
    forms: list[object] = [text, text.lower().replace(".", "-"), text.replace("X", "R"), emoji, "\n".join(rows), rows]
    forms += [numbers, [abs(number) and 2 - (number > 0) for number in numbers]]
    forms += [[None if mark == "." else mark for mark in text], [[*row] for row in rows]]
    return dice.choice(forms)


PROVE = ("outcome", "distance")
"""What a search is to prove."""


def _question(dice: Random) -> Json:
    game, named = _game(dice)
    position, moves = _played(dice, game)
    question: Json = {} if named == "tic-tac-toe" and dice.random() < 0.5 else {"game": named}
    if dice.random() < 0.3:
        indices = [move % game.drop if game.drop else move for move in moves]
        names = {index: name for name, index in game.spellings.items()}
        named = [names[index] for index in indices]
        question["moves"] = dice.choice([indices, indices, named, ", ".join(named)])
    else:
        player = dice.choice([position.player, position.player.lower()])
        question |= {"board": _written(dice, position)} | ({"player": player} if dice.random() < 0.8 else {})
    question["limit"] = {"nodes": dice.choice(NODES)} | dice.choice(({}, {}, {"prove": dice.choice(PROVE)}))
    if dice.random() < 0.2:
        question |= {"seed": dice.randrange(1000)} | dice.choice(
            ({"tie_break": "random"}, {"tie_break": "hardest"}, {"skill": dice.randint(0, 100)})
        )
    return question


def _post(path: str, data: object, **headers: str) -> Asked:
    return Asked("POST", path, json.dumps(data).encode(), {"Content-Type": "application/json", **headers})


def _position(dice: Random) -> Asked:
    return _post(dice.choice(("/best-move", "/best-move", "/analysis")), _question(dice))


def _stream(dice: Random) -> Asked:
    return _post("/analysis/stream", _question(dice))


def _batch(dice: Random) -> Asked:
    positions: list[Any] = [_question(dice) for _ in range(dice.randint(1, 6))]
    if dice.random() < 0.3:
        positions.append(
            dice.choice((None, 3, {}, {"board": "XXX"}, {"board": "X...O....", "boar": 1}, {"game": "go"}))
        )
    return _post("/best-moves", {"positions": positions, "limit": {"nodes": 2000}})


def _review(dice: Random) -> Asked:
    game, named = _game(dice)
    moves = _played(dice, game)[1]
    record = [move % game.drop if game.drop else move for move in moves]
    if dice.random() < 0.1:
        record.append(dice.randrange(70))
    return _post("/review", {"game": named, "moves": record, "limit": {"nodes": dice.choice(NODES)}})


def _proof(dice: Random) -> Asked:
    """A position near the end, whose certificate is small, or any other one."""
    game, named = _game(dice)
    position = _played(dice, game)[0]
    limit = {"nodes": dice.choice((*NODES, 100_000))}
    return _post("/proof", {"game": named, "board": str(position), "player": position.player, "limit": limit})


def _by_query(dice: Random) -> Asked:
    game = LINE_GAMES[dice.choice([*LINE_GAMES])]
    position = _played(dice, game)[0]
    more = dice.choice(("", "", "&player=X", "&seed=1&skill=40", "&board=X", "&nope=1", "&nodes=x", "&rows=3"))
    query = f"game={game.id}&board={position}&nodes={dice.choice(NODES)}{more}"
    path = dice.choice(("/best-move", "/analysis"))
    return Asked(
        dice.choice(("GET", "GET", "HEAD")), f"{path}?{query}", headers=dice.choice(({}, {"If-None-Match": '"x"'}))
    )


def _picture(dice: Random) -> Asked:
    """A picture of a position, some as a card, which takes longest."""
    drawn = {"theme": dice.choice(("light", "dark", "auto", "red")), "size": dice.choice((64, 200, 2048, 9))}
    shown = dice.choice(([], ["best"], ["evaluation"], ["best", "evaluation"]))
    if dice.random() < 0.4:
        return _post("/position.svg", {**_question(dice), **drawn, "show": shown})
    query = f"{_by_query(dice).path.partition('?')[2]}&theme={drawn['theme']}&show={','.join(shown)}"
    if dice.random() < 0.1:
        return Asked("GET", f"/position.png?{query}")
    return Asked("GET", f"/position.svg?{query}&size={drawn['size']}")


def _random_position(dice: Random) -> Asked:
    plies = dice.choice(({}, {"plies": dice.randrange(70)}, {"plies_at_least": 3, "plies_at_most": dice.randrange(20)}))
    return _post("/random-position", {"game": _game(dice)[1], "seed": dice.randrange(9), **plies})


def _puzzles(dice: Random) -> Asked:
    game = dice.choice([*LINE_GAMES, "notakto-2", "three-mens-morris", "ultimate-tic-tac-toe"])
    goal, plies = dice.choice(("win", "hold", "lose")), dice.choice(("", "&plies=5", "&plies_at_most=7", "&plies=99"))
    more = f"&count={dice.randrange(4)}&solution={dice.choice(('true', 'false', '1'))}"
    return Asked("GET", f"/puzzles?game={game}&goal={goal}&seed={dice.randrange(9)}&nodes=20000{plies}{more}")


def _spoiled(dice: Random) -> Asked:
    """A request with a fault: a byte changed or lost, a field of another type, another name or another content type."""
    path = dice.choice(("/best-move", "/analysis", "/best-moves", "/review"))
    question = _question(dice)
    name = dice.choice([key for key in question if key != "seed"])  # without it chance would decide
    fault = dice.random()
    if fault < 0.4:
        value: object = dice.choice((None, True, -1, 1e300, "", "x", [], {}, [[]], {"nodes": 0}, {"rows": 99}, 10**30))
        # Without nodes the clock would limit the search.
        question[name] = [] if name == "limit" and value in (None, {}) else value
    elif fault < 0.6:
        question[dice.choice(("boards", "Player", "limits", "time_ms", "x"))] = question.pop(name)
    body = bytearray(json.dumps(question).encode())
    if fault > 0.6:
        place = dice.randrange(len(body))
        body[place : place + 1] = dice.choice((b"", b"\x00", b'"', b"}", b"\xff", b"9"))
    kind = dice.choice(
        ("application/json", "application/json", "text/plain", "text/plain;charset=UTF-8", "text/html", "")
    )
    return Asked("POST", path, bytes(body), {"Content-Type": kind} if kind else {})


def _page(dice: Random) -> Asked:
    return Asked(dice.choice(("GET", "PUT", "PATCH", "TRACE")), dice.choice(PAGES), headers={"Accept": "text/html"})


def main() -> None:
    """Write what an application in this process answers."""
    client = create_app(Settings(), search_slots=False).test_client()
    Path(sys.argv[1]).write_text("".join(f"{answer(client, asked)}\n" for asked in corpus()), encoding="utf-8")


if __name__ == "__main__":
    main()
