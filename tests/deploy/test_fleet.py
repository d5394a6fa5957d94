"""Two real servers that share a Redis: what one has solved the other knows, and no trouble of the Redis is theirs."""

import json
import re
from concurrent.futures import ThreadPoolExecutor
from itertools import product

import httpx
import pytest

from tests.redis_cache.stores import Store
from tests.support import HUNG_SECONDS, Server, wait_until

pytestmark = pytest.mark.verify

Question = tuple[str, str]
"""A body, and the path that it is sent to."""

Answers = dict[Question, bytes]

BODIES = (
    '{"game":"connect-four-5x4","moves":[]}',
    '{"game":{"rows":5,"columns":4,"in_a_row":4},"moves":[]}',
    '{"game":{"rows":5,"columns":4,"in_a_row":4},"moves":[],"tie_break":"random","seed":7}',
)
QUESTIONS: tuple[Question, ...] = tuple((body, path) for path in ("/best-move", "/analysis") for body in BODIES)

PROVEN = {"DEFAULT_TIME_MS": "60000", "THREADS": "16", "MAX_QUEUED": "64"}
"""With time and room for every search to be proven on the busiest machine."""


def ask(server: Server, body: str, path: str = "/best-move") -> httpx.Response:
    headers = {"Content-Type": "application/json"}
    response = httpx.post(f"{server.url}{path}", content=body, headers=headers, timeout=HUNG_SECONDS)
    assert response.status_code == 200, response.text
    return response


def counted(server: Server) -> dict[str, float]:
    """What became of entries, over all workers."""
    metrics = httpx.get(f"{server.url}/metrics", timeout=HUNG_SECONDS).text
    found = re.findall(r'^move_oracle_shared_cache_total\{result="(\w+)"\} (\S+)$', metrics, re.MULTILINE)
    return {result: float(count) for result, count in found if float(count)}


def new_board(number: int) -> str:
    """A question that no cache of a server can know yet, and that takes some nodes."""
    first, step = divmod(number, 15)
    game = {"rows": 4, "columns": 4, "in_a_row": 3, "misere": True}
    return json.dumps({"game": game, "moves": [first, (first + 1 + step) % 16]})


def source(answer: httpx.Response) -> str:
    return answer.headers["Server-Timing"].split(";")[0]


def sources_of_a_new_instance(store: Store, right: Answers) -> tuple[set[str], dict[str, float]]:
    """Where an instance that knows nothing yet finds the right answers, and what became of the entries."""
    with Server(workers=2, CACHE_URL=store.url, **PROVEN) as server:
        answers = {question: ask(server, *question) for question in right}
        assert {question: answer.content for question, answer in answers.items()} == right
        return {source(answer) for answer in answers.values()}, counted(server)


def test_a_second_instance_answers_what_the_first_has_solved_in_the_same_bytes() -> None:
    with Server(workers=1, **PROVEN) as alone:
        right = {question: ask(alone, *question).content for question in QUESTIONS}
        assert counted(alone) == {}

    def knows_all() -> bool:
        """Whether it searches for nothing. On a busy machine the cache may once be too slow for it, but not always."""
        sources, counts = sources_of_a_new_instance(store, right)
        return sources == {"cache"} and counts.keys() <= {"hit", "miss"}

    with Store() as store:
        sources, counts = sources_of_a_new_instance(store, right)
        assert "search" in sources
        assert counts["kept"] > 2
        wait_until(knows_all)


def test_a_redis_that_is_stopped_under_load_fails_no_request_and_is_used_again_once_it_is_back() -> None:
    with Store() as store, Server(workers=2, CACHE_URL=store.url, **PROVEN) as server:
        with ThreadPoolExecutor(4) as clients:
            answers = [clients.submit(ask, server, new_board(number)) for number in range(80)]
            for answered, then in ((20, store.stop), (60, store.start)):
                wait_until(lambda answered=answered: sum(answer.done() for answer in answers) >= answered)  # type: ignore[misc]
                then()
        assert all(answer.result().json()["proven"] for answer in answers)
        assert counted(server)["failed"] > 0
        moves = product(range(5), repeat=3)

        def kept_after_another_question() -> bool:
            ask(server, json.dumps({"game": "connect-four-5x4", "moves": next(moves)}))
            return bool(store.kept())

        wait_until(kept_after_another_question, every=0.2)
        messages = [line["message"] for line in server.log()]
        assert any(message.startswith("The shared cache fails") for message in messages)
        assert "The shared cache answers again" in messages
        assert server.faults() == []
