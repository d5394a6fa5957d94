"""What the edge counts of requests and answers."""

from collections.abc import Mapping

from prometheus_client.parser import text_string_to_metric_families

from service.settings import Settings
from tests.edge_client import EdgeClient

BOARD = {"board": "X...O...."}


def counted(client: EdgeClient, name: str) -> Mapping[tuple[str, ...], float]:
    """Return the samples of a metric by the values of their labels."""
    families = text_string_to_metric_families(client.get("/metrics").get_data(as_text=True))
    return {
        tuple(sample.labels[label] for label in sorted(sample.labels)): sample.value
        for family in families
        for sample in family.samples
        if sample.name == f"move_oracle_{name}" and sample.value
    }


def test_whatever_clients_invent_the_labels_stay_few() -> None:
    client = EdgeClient(Settings())
    for number in range(50):
        client.open(f"/{number}", method=f"BREW{number}")
    assert counted(client, "request_seconds_count") == {("other", "(none)", "404"): 50}


def test_answers_and_durations_are_counted_also_from_the_cache_and_in_batches() -> None:
    client = EdgeClient(Settings())
    for _ in range(3):
        client.post("/best-move", json=BOARD)
    client.post("/best-moves", json={"positions": [BOARD] * 5})
    assert counted(client, "answers_total") == {
        ("tic-tac-toe", "draw", "table"): 6,
        ("tic-tac-toe", "draw", "cache"): 2,
    }
    assert max(counted(client, "request_seconds_bucket").values()) == 3
    assert 0 < counted(client, "request_seconds_sum")["POST", "/best-move", "200"] < 60
