"""The kinds of answers: their constants tell them apart."""

from collections.abc import Mapping
from typing import Any

import pytest

from service.api.write.stream import progress_answer
from service.engine.oracle import Oracle
from service.engine.work.limit import Limit
from service.engine.work.progress import Progress
from service.games.catalogue import LINE_GAMES
from service.games.families.lines import position_after
from tests.contract import assert_matches
from tests.edge_client import EdgeClient

SEARCHED = "connect-four-5x4"
LIMITS = [2**power for power in range(19)]
"""Of a position of this game a search proves the outcome before the distance, and both before it has looked
everywhere."""


def kind_of(value: Mapping[str, Any]) -> str:
    """The kind of an answer, by its constants."""
    if value.get("status", "in_progress") != "in_progress":
        return "Finished"
    return "Exact" if value["exact"] else "Proven" if value["proven"] else "Unproven"


@pytest.mark.parametrize(("path", "kinds"), [("/best-move", "Answer"), ("/analysis", "Analysis")])
def test_an_answer_of_each_kind_is_what_the_contract_says_of_that_kind(
    client: EdgeClient, path: str, kinds: str
) -> None:
    limited = ({"game": SEARCHED, "moves": "542", "limit": {"nodes": nodes}} for nodes in LIMITS)
    met = [client.post(path, json=body).get_json() for body in ({"board": "XXXOO...."}, *limited)]
    for answer in met:
        assert_matches(f"{kind_of(answer)}{kinds}", answer)
        for move in answer.get("moves", ()):
            assert_matches(f"{kind_of(move)}Move", move)
    assert {kind_of(answer) for answer in met} == {"Finished", "Exact", "Proven", "Unproven"}


def test_progress_of_each_kind_is_what_the_contract_says_of_that_kind() -> None:
    met = set()
    for nodes in LIMITS:
        progress = Progress(position_after(LINE_GAMES[SEARCHED], (19, 18, 16)))
        Oracle().best_move(progress.position, limit=Limit(60, nodes, progress=progress))
        told = progress_answer(progress)
        assert_matches(f"{kind_of(told)}Progress", told)
        met.add(kind_of(told))
    assert met == {"Exact", "Proven", "Unproven"}
