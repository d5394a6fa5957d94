"""A least-recently-used cache with a fixed capacity."""

from service.engine.cache.lru_cache import LRUCache
from service.engine.line_engine import MOST_LAID_OUT, OTHER_BYTES, LineEngine
from service.engine.oracle import ignore
from service.games.families.lines import hand_written
from service.kernel.memory import private_memory


def test_an_entry_that_was_looked_up_outlives_older_ones_and_one_that_is_kept_again_is_replaced() -> None:
    memory: LRUCache[int, str] = LRUCache(3)
    for key in range(3):
        memory.keep(key, str(key))
    assert memory.get(0) == "0"
    memory.keep(3, "3")
    assert (memory.get(0), memory.get(1), len(memory)) == ("0", None, 3)
    memory.keep(2, "two")
    assert (memory.get(2), len(memory)) == ("two", 3)


def test_values_that_weigh_together_too_much_are_dropped_but_not_the_newest() -> None:
    cache = LRUCache[str, str](10, len)
    for key, value in (("a", "1234"), ("b", "1234"), ("a", "12345"), ("c", "1")):
        cache.keep(key, value)
    assert [cache.get(key) for key in "bac"] == ["1234", "12345", "1"]
    cache.keep("d", "1")
    assert [cache.get(key) for key in "abcd"] == ["12345", None, "1", "1"]
    cache.keep("e", "1" * 11)
    assert [cache.get(key) for key in "abcde"] == [None, None, None, None, "1" * 11]


def test_the_rules_of_many_large_games_take_little_memory_together() -> None:
    engine = LineEngine({}, {}, private_memory(0), ignore)
    for lines in range(60):
        games = [[cell, (cell + 1 + lines) % 64, (cell + 3) % 64] for cell in range(64)]
        engine.rules(hand_written(id="x", name="x", rules="x", cells=64, lines=games))
    kept = engine._rules  # noqa: SLF001, nothing else shows what is kept
    assert 1 < len(kept) * OTHER_BYTES <= MOST_LAID_OUT
