"""Write the tables of settings, metrics, games and parameters into the documentation, as the code declares them.

Run ``python docs/tables.py`` after a change of ``service/settings.py``, ``service/metrics.py`` or
``service/games/catalogue.py``, of ``service/games/atlas.json``, or of the parameters of a family.
"""

import argparse
import re
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import MISSING, fields
from functools import partial
from pathlib import Path
from random import Random
from types import MappingProxyType

from prometheus_client.metrics import MetricWrapperBase

from service.api.wire.rules import ALL_FAMILIES, json_value
from service.api.write.games import solved_game
from service.explain.outcomes import best_play
from service.games.atlas import Entry, read_atlas
from service.games.catalogue import FAMILIES, STATE_GAMES
from service.games.families.lines import LineGame
from service.games.game import Game
from service.games.parameters import Parameter
from service.games.position import Position
from service.kernel.states.family import START
from service.metrics import Metrics
from service.settings import Settings

DOCS = Path(__file__).parent

FAMILIES_PAGE = DOCS / "guide/families.md"
"""The page of families; those without a section of their own there get one by their declarations."""

END = "<!-- end -->"

SEED, SHOWN = 6, 4
"""The random games of the table of notations, and the plies before its positions."""


def settings_table() -> Iterator[str]:
    """Yield the lines of the table of settings."""
    yield "| variable | default | meaning |"
    yield "|---|---|---|"
    for setting in fields(Settings):
        yield f"| `{setting.metadata['variable']}` | {_default(setting.default)} | {setting.metadata['description']} |"


def _default(value: object) -> str:
    if value is MISSING:  # it is found out when the service starts
        return "cores"
    return "empty" if value == "" else f"`{value}`"


def metrics_table() -> Iterator[str]:
    """Yield the lines of the table of metrics, with the names that ``/metrics`` exposes."""
    yield "| metric | type | labels | meaning |"
    yield "|---|---|---|---|"
    for metric in vars(Metrics()).values():
        if isinstance(metric, MetricWrapperBase):
            (family,) = metric.describe()
            name = f"{family.name}_total" if family.type == "counter" else family.name
            labels = ", ".join(f"`{label}`" for label in metric._labelnames)  # noqa: SLF001, published nowhere else
            yield f"| `{name}` | {family.type} | {labels} | {family.documentation} |"


def families_table() -> Iterator[str]:
    """Yield the lines of the table of games of other families than line games."""
    yield "| `game` | family | rules | value |"
    yield "|---|---|---|---|"
    for game in STATE_GAMES.values():
        yield f"| `{game.id}` | `{game.family}` | {game.rules} | {_best_play(game)} |"


def notations_table() -> Iterator[str]:
    """Yield the lines of the table of how moves and positions of the families are written."""
    yield "| family | moves in lists | also read | a position | players |"
    yield "|---|---|---|---|---|"
    for family in FAMILIES:
        games = [game for game in STATE_GAMES.values() if game.family == family]
        moves = _kinds_of_moves(games)
        names = ", ".join(f"`{game.move_name(move)}`" for game, move in moves)
        others = dict.fromkeys(f"`{name}`" for game, move in moves for name in game.other_names(move))
        players = ", ".join(f"`{player}`" for player in games[0].players)
        yield f"| `{family}` | {names} | {', '.join(others)} | `{_some_positions(games[0])[SHOWN]}` | {players} |"


def _kinds_of_moves(games: Sequence[Game]) -> Sequence[tuple[Game, int]]:
    """Return a move of each kind, which differ in more than the numbers of their names."""
    found: dict[str, tuple[Game, int]] = {}
    for game in games:
        for position in _some_positions(game):
            for move in position.legal_moves[SHOWN:]:
                found.setdefault(re.sub(r"[0-9]+", "0", str(game.move_name(move))), (game, move))
    return [*found.values()]


def _some_positions(game: Game) -> Sequence[Position]:
    """Return the positions of a random game."""
    positions = [Position(game)]
    for move, _ in game.random_game(Random(SEED)):  # noqa: S311, nothing is secret in an example
        positions.append(positions[-1].play(move))
    return positions


def _best_play(game: Game) -> str:
    value = game.value
    if value is None:
        return "Nobody has proven it."
    return best_play(value.outcome, value.plies, game.players, repetition=game.loops and value.plies is None)


def parameters_table(family: str) -> Iterator[str]:
    """Yield the lines of the table of the parameters of a family."""
    yield "| parameter | values | default | meaning |"
    yield "|---|---|---|---|"
    for parameter in ALL_FAMILIES[family].PARAMETERS:
        default = "required" if parameter.default is None else json_value(parameter.default)
        meaning = " ".join(filter(None, (parameter.about, parameter.details)))
        yield f"| `{parameter.name}` | {_values(parameter)} | {default} | {meaning} |"


def other_families() -> Iterator[str]:
    """Yield a section for each family that has none of its own on the page of families."""
    for family in FAMILIES:
        if not _has_section(family):
            game = next(game for game in STATE_GAMES.values() if game.family == family)
            move = game.legal_moves(START)[0]
            first, second = game.players
            yield f"## {game.title}"
            yield ""
            yield f"{game.about} The players of the family `{family}` are `{first}` and `{second}`. A move is"
            yield f"written as `{game.move_name(move)}`, and the position after it as `{Position(game).play(move)}`."
            yield ""
            yield from parameters_table(family)
            yield ""


def _has_section(family: str) -> bool:
    return f"<!-- parameters of {family} -->" in FAMILIES_PAGE.read_text(encoding="utf-8")


def _values(parameter: Parameter) -> str:
    values = parameter.legal
    return f"{values[0]} to {values[-1]}" if isinstance(values, range) else ", ".join(map(json_value, values))


def atlas_table() -> Iterator[str]:
    """Yield the lines of the rules atlas: a table for each family."""
    for family in dict.fromkeys(entry["rules"].get("family", "line") for entry in read_atlas()):
        yield f"## {'Line games' if family == 'line' else f'`{family}`'}"
        yield ""
        yield "| rules | value | positions | up to symmetry | seconds | bytes |"
        yield "|---|---|---:|---:|---:|---:|"
        yield from (_atlas_row(entry) for entry in read_atlas() if entry["rules"].get("family", "line") == family)
        yield ""


def _atlas_row(entry: Entry) -> str:
    rules = {name: value for name, value in entry["rules"].items() if name != "family"}
    written = ", ".join(f"`{name}` {str(value).lower()}" for name, value in rules.items())
    sizes = [f"{entry[size]:,}" if entry[size] else "" for size in ("positions", "states")]
    size = f"{entry['bytes']:,}" if entry["bytes"] else ""
    value = solved_game(entry)["best_play"]
    return f"| {written} | {value} | {' | '.join(sizes)} | {entry['seconds']:.2f} | {size} |"


Tables = Mapping[str, Callable[[], Iterator[str]]]

TABLES: Mapping[str, Tables] = MappingProxyType(
    {
        "atlas.md": {"atlas": atlas_table},
        "games.md": {"games of families": families_table},
        "guide/families.md": {
            "notations": notations_table,
            **{f"parameters of {name}": partial(parameters_table, name) for name in FAMILIES if _has_section(name)},
            "other families": other_families,
        },
        "guide/positions.md": {"parameters of line": partial(parameters_table, LineGame.family)},
        "operate/configuration.md": {"settings": settings_table},
        "operate/logs-and-metrics.md": {"metrics": metrics_table},
    }
)
"""The tables of each page, each by what its marker says."""


def with_table(text: str, marker: str, lines: Iterator[str]) -> str:
    """Return the text of a page with new lines between the marker and ``END``. Raises ValueError without them."""
    before, begin, rest = text.partition(f"{marker}\n")
    _, end, after = rest.partition(END)
    if not begin or not end:
        raise ValueError(f"the page has no {marker} with {END} below it")
    return "".join([before, begin, "\n", *(f"{line}\n" for line in lines), "\n", end, after])


def main() -> int:
    """Rewrite the tables, or with ``--check`` only report the pages whose table is stale."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="change nothing; exit with 1 if a table is stale")
    parser.add_argument("docs", nargs="?", type=Path, default=DOCS, help="the folder of the pages")
    arguments = parser.parse_args()
    stale = False
    for name, tables in TABLES.items():
        page = arguments.docs / name
        fresh = text = page.read_text(encoding="utf-8")
        for told, table in tables.items():
            fresh = with_table(fresh, f"<!-- {told} -->", table())
        if fresh == text:
            continue
        stale = True
        if arguments.check:
            print(f"{page} is stale; run python docs/tables.py", file=sys.stderr)
        else:
            page.write_text(fresh, encoding="utf-8")
    return int(stale and arguments.check)


if __name__ == "__main__":
    sys.exit(main())
