"""A shared cache that counts what becomes of its entries, and a game for it."""

import time
from collections import Counter
from collections.abc import Callable, Mapping

from service.breaker import Breaker
from service.engine.result import ProvenResult
from service.games.families.lines import line_position
from service.games.position import Position
from service.redis_cache import FAILURES, RedisCache
from tests.support import wait_until
from tests.worlds import small

GAME = small(4, 5, 4)
EMPTY = line_position(GAME, 0, 0, "X")

Entries = Mapping[Position, ProvenResult]


class Cache(RedisCache):
    """A cache whose breaker rests for a moment only; a busy machine may make it wait too long now and then."""

    def __init__(
        self, url: str, secret: str = "", rest: float = 0.0, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self.results: Counter[str] = Counter()
        super().__init__(url, secret, self._note, Breaker(FAILURES, rest, clock))

    def _note(self, result: str, entries: int) -> None:
        self.results[result] += entries

    def find(self, position: Position = EMPTY, *, all_best: bool = False) -> ProvenResult | None:
        """Return what one look-up finds."""
        (entry,) = self.look_up([position], all_best=all_best)
        return entry

    def find_surely(self, position: Position = EMPTY) -> ProvenResult | None:
        """Return what a look-up finds that neither failed nor was skipped."""
        found: list[ProvenResult | None] = []

        def answered() -> bool:
            before = self.results["failed"] + self.results["skipped"]
            found.append(self.find(position))
            return self.results["failed"] + self.results["skipped"] == before

        wait_until(answered, every=0)
        return found[-1]

    def keep_surely(self, entries: Entries) -> None:
        """Keep entries until all have been kept."""

        def kept() -> bool:
            self.keep(entries, all_best=False)
            return self.results["kept"] >= len(entries)

        wait_until(kept, every=0)
