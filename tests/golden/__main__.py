"""Write the files of this version: ``python -m tests.golden``, at each release."""

import json

import service
from service.cli.game.saved_game import write_game
from service.engine.oracle import Oracle
from service.engine.tables.family_table import build, write_table
from tests.book.books import build_at
from tests.golden.files import BOOK, BOOK_GAME, ENTRY, FOLDER, MOVES, SAVED, SEALED, START, TABLE, TABLE_GAME, Kept
from tests.worlds import proof


def main() -> None:
    """Write a book, a table, a saved game and an entry of the shared cache."""
    folder = FOLDER / service.__version__
    folder.mkdir(exist_ok=True)
    build_at(folder / BOOK, BOOK_GAME)
    write_table(folder / TABLE, build(TABLE_GAME, most=1000))
    write_game(folder / SAVED, {"format": 1, "game": "connect-four", "moves": list(MOVES), "play_as": "O", "skill": 60})
    cache = Kept({}, SEALED)
    cache.keep({START: proof(Oracle().best_move(START))}, all_best=False)
    (folder / ENTRY).write_text(json.dumps({key: value.hex() for key, value in cache.values.items()}) + "\n")


main()
