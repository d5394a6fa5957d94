"""Turns: one works, the others wait, and nothing is left behind."""

import threading
import time

import pytest

from service.oracle.turns import Turns

SECONDS = 10


def test_of_several_that_want_the_same_only_one_works_at_a_time() -> None:
    turns, inside, most = Turns[str](), [0], [0]

    def work() -> None:
        with turns.turn("a", lambda: False):
            inside[0] += 1
            most[0] = max(most[0], inside[0])
            time.sleep(0.002)
            inside[0] -= 1

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(SECONDS)
    assert most == [1]
    assert len(turns) == 0


def test_different_things_do_not_wait_for_each_other() -> None:
    turns = Turns[str]()
    with turns.turn("a", lambda: False), turns.turn("b", lambda: False):
        assert len(turns) == 2


def test_who_gives_up_goes_on_without_a_turn() -> None:
    turns = Turns[str]()
    with turns.turn("a", lambda: False):
        with turns.turn("a", lambda: True):
            assert len(turns) == 1
        assert len(turns) == 1
        with turns.turn("a", lambda: True):
            pass
    assert len(turns) == 0


def test_a_fault_gives_the_turn_back() -> None:
    turns = Turns[str]()
    with pytest.raises(ValueError, match="fault"), turns.turn("a", lambda: False):
        raise ValueError("fault")
    assert len(turns) == 0
    with turns.turn("a", lambda: False):
        pass


def test_what_one_leaves_is_there_for_those_who_waited_and_for_nobody_later() -> None:
    turns, seen, started = Turns[str](), [""], threading.Event()

    def wait() -> None:
        started.set()
        with turns.turn("a", lambda: False) as turn:
            seen[0] = turn.found or "nothing"

    waiting = threading.Thread(target=wait)
    with turns.turn("a", lambda: False) as turn:
        waiting.start()
        started.wait(SECONDS)
        while turn.users < 2:
            time.sleep(0.001)
        turn.found = "something"
    waiting.join(SECONDS)
    assert seen == ["something"]
    with turns.turn("a", lambda: False) as turn:
        assert turn.found is None


def test_a_fault_of_who_says_to_give_up_leaves_nothing_behind() -> None:
    turns = Turns[str]()

    def fault() -> bool:
        raise KeyboardInterrupt

    with turns.turn("a", lambda: False), pytest.raises(KeyboardInterrupt), turns.turn("a", fault):
        pass
    assert len(turns) == 0
