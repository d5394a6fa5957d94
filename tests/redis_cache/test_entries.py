"""Entries in a real Redis: what was kept is found, and what cannot be believed is ignored."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from random import Random

import pytest

from service.engine.oracle import Oracle
from service.games.families.lines import line_position
from service.redis_cache import CONNECTIONS, KEPT_SECONDS
from tests.redis_cache.cache import EMPTY, GAME, Cache, Entries
from tests.redis_cache.stores import Store
from tests.worlds import small

KEY = f"move-oracle:1:{GAME.digest.hex()}:0:0:first"

Spoil = Callable[[list[bytes], Random], list[bytes]]


def test_what_one_instance_keeps_another_finds(store: Store, entries: Entries) -> None:
    Cache(store.url).keep_surely(entries)
    other = Cache(store.url)
    assert {position: other.find_surely(position) for position in entries} == entries
    assert other.results["hit"] == len(entries)
    assert len(store.kept()) == len(entries)


def test_an_entry_is_shared_by_x_and_o_and_like_named_games_but_not_by_others_names_a_version_and_expires(
    store: Store, empty_board: Entries
) -> None:
    cache = Cache(store.url)
    assert cache.find_surely() is None
    assert cache.results["miss"] == 1
    cache.keep_surely(empty_board)
    assert cache.find_surely(line_position(small(4, 5, 4), 0, 0, "O")) == empty_board[EMPTY]
    assert cache.find_surely(line_position(small(4, 5, 4, misere=True), 0, 0, "X")) is None
    assert cache.find(all_best=True) is None
    assert store.kept() == [KEY.encode()]
    assert 0 < store.client.ttl(KEY) <= KEPT_SECONDS


def test_only_those_who_know_the_secret_are_believed(store: Store, empty_board: Entries) -> None:
    secret = "x" * 1000
    Cache(store.url).keep_surely(empty_board)
    cache, before = Cache(store.url, secret), store.client.get(KEY)
    assert cache.find_surely() is None
    assert cache.results["invalid"] == 1
    cache.keep_surely(empty_board)
    assert store.client.get(KEY) != before
    assert Cache(store.url, secret).find_surely() == empty_board[EMPTY]
    assert Cache(store.url).find_surely() is None


def flip_a_bit(value: bytes, dice: Random) -> bytes:
    spoilt = bytearray(value)
    spoilt[dice.randrange(len(spoilt))] ^= 1 << dice.randrange(8)
    return bytes(spoilt)


SPOILS: dict[str, Spoil] = {
    "noise": lambda values, dice: [dice.randbytes(dice.randint(0, 80)) for _ in values],
    "truncated": lambda values, _: [value[: min(length, len(value) - 1)] for length, value in enumerate(values)],
    "extended": lambda values, _: [value + b"\0" for value in values],
    "those of other keys": lambda values, _: [*values[1:], values[0]],
    "a bit flipped": lambda values, dice: [flip_a_bit(value, dice) for value in values],
    "enlarged": lambda values, _: [b"[" * 100_000 for _ in values],
}


@pytest.mark.parametrize("spoil", SPOILS.values(), ids=SPOILS)
def test_spoilt_values_are_counted_and_ignored(store: Store, entries: Entries, spoil: Spoil) -> None:
    Cache(store.url).keep_surely(entries)
    keys = store.kept()
    store.client.mset(dict(zip(keys, spoil(store.client.mget(keys), Random(1)), strict=True)))
    cache = Cache(store.url)
    assert [cache.find_surely(position) for position in entries] == [None] * len(entries)
    assert cache.results["invalid"] == len(entries)
    answer = Oracle(shared=cache).best_move(EMPTY)
    assert (answer.known, answer.source) == (entries[EMPTY], "search")


def test_a_value_of_another_type_is_missed_and_replaced(store: Store, empty_board: Entries) -> None:
    store.client.rpush(KEY, "a", "b")
    cache = Cache(store.url)
    assert cache.find_surely() is None
    cache.keep_surely(empty_board)
    assert cache.find_surely() == empty_board[EMPTY]


def test_a_value_with_a_right_seal_that_the_rules_do_not_allow_is_ignored(store: Store, empty_board: Entries) -> None:
    """The last one promises another outcome than its line has."""
    entry = empty_board[EMPTY]
    assert entry.outcome == "draw"
    for packed in (
        *(b"", b"\1", b"\1\1", b"\1\1\0", b"\3\1\0\0", b"\1\377\0\0"),
        *(b"\1\1\0\0", b"\1\0\0", b"\1\1\377\377", b"\0\1\0\0\1"),
        bytes((2, 1, *entry.best_moves, *entry.pv)),
    ):
        cache = Cache(store.url)
        store.client.set(KEY, cache._seal(KEY, packed) + packed)  # noqa: SLF001
        assert cache.find_surely() is None, packed
        assert cache.results["invalid"] == 1


def test_many_threads_share_few_connections(store: Store, entries: Entries) -> None:
    cache, positions = Cache(store.url), [*entries] * 30
    cache.keep_surely(entries)
    before = int(store.client.info("clients")["connected_clients"])
    with ThreadPoolExecutor(16) as threads:
        assert [*threads.map(cache.find_surely, positions)] == [entries[position] for position in positions]
    assert int(store.client.info("clients")["connected_clients"]) <= before + CONNECTIONS
