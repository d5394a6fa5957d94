"""The oracle of the settings, and its tables in their folder, for the application and for the library."""

import logging
from collections.abc import Callable
from math import ceil

from service.book import paths
from service.cores import cores
from service.engine.cache.shared import SharedCache
from service.engine.oracle import Oracle, ignore
from service.engine.tables.table_folder import TableFolder, UnusableFolder, table_folder
from service.engine.tables.tablebases import Tablebases
from service.engine.work.slots import UNWATCHED, Tally
from service.games.catalogue import LINE_GAMES
from service.games.position import Position
from service.settings import Settings

MOST_TABLED = 9
"""The maximum cells of games with a complete table from the start: 3x3, where it saves 0.5 ms per request."""

log = logging.getLogger("service")


def make_tablebases(settings: Settings, folder: TableFolder | None, refused: Tally = UNWATCHED.refused) -> Tablebases:
    """Return the tables of a process: one set, however many oracles ask for them."""
    return Tablebases(
        folder,
        settings.max_positions,
        built=paths.HOME,
        threads=min(settings.max_searches, cores()),
        queued=ceil(settings.max_queued / settings.workers),
        refused=refused,
    )


def make_oracle(
    settings: Settings,
    books: paths.Books,
    tablebases: Tablebases,
    *,
    shared: SharedCache | None = None,
    on_contradiction: Callable[[Position], None] = ignore,
) -> Oracle:
    """Return the oracle. Solve the catalogue's smallest games, which takes a fraction of a second."""
    return Oracle(
        [game for game in LINE_GAMES.values() if game.cells <= MOST_TABLED],
        table_mb=settings.table_mb,
        shared=shared,
        books={digest: found.book for digest, found in books.items()},
        tablebases=tablebases,
        on_contradiction=on_contradiction,
    )


def open_oracle(settings: Settings) -> Oracle:
    """Return an oracle with the books and tables of the settings. Raises InvalidBook if a book cannot be used."""
    tablebases = make_tablebases(settings, open_table_folder(settings))
    return make_oracle(settings, paths.read_books(settings.books), tablebases)


def open_table_folder(settings: Settings) -> TableFolder | None:
    """Return the folder of the tables; log the reason if it cannot be used."""
    path = table_folder(settings.tablebases)
    try:
        return None if path is None else TableFolder(path, settings.tablebases_mb << 20)
    except UnusableFolder as error:
        log.warning("Each worker makes its own tables of games of families, for TABLEBASES cannot be used: %s", error)
        return None
