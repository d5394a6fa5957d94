"""What the files hold, and a shared cache in memory that writes and reads as the one in Redis does."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from service.games.catalogue import STATE_GAMES, TIC_TAC_TOE
from service.games.families.lines import line_position
from service.redis_cache import RedisCache
from tests.worlds import small

FOLDER = Path(__file__).parent
VERSIONS = sorted(path.name for path in FOLDER.iterdir() if path.is_dir() and path.name[0].isdigit())

BOOK, TABLE, SAVED, ENTRY = "small.book", "small.table", "game.json", "entry.json"

BOOK_GAME, TABLE_GAME = TIC_TAC_TOE, STATE_GAMES["notakto"]
MOVES = (3, 3, 2, 4)
START = line_position(small(4, 4, 3), 0, 0, "X")
SEALED = "sesame"


class Kept(RedisCache):
    """A shared cache whose Redis is a mapping."""

    def __init__(self, values: Mapping[str, bytes], secret: str) -> None:
        super().__init__("redis://nowhere.invalid", secret, lambda _result, _entries: None)
        self.values = {**values}

    def _read(self, keys: Sequence[str]) -> Sequence[object]:
        return [self.values.get(key) for key in keys]

    def _write(self, values: Mapping[str, bytes]) -> bool:
        self.values |= {key: self._seal(key, value) + value for key, value in values.items()}
        return True
