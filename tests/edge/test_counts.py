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


def test_requests_are_counted_by_method_route_and_status() -> None:
    client = EdgeClient(Settings())
    client.post("/best-move", json=BOARD)
    client.post("/best-move", json=BOARD)
    client.post("/best-move", json={"board": "X"})
    client.get("/games/qubic")
    client.get("/nothing/at/all")
    client.open("/games", method="BREW")
    assert counted(client, "request_seconds_count") == {
        ("POST", "/best-move", "200"): 2,
        ("POST", "/best-move", "422"): 1,
        ("GET", "/games/<id>", "200"): 1,
        ("GET", "(none)", "404"): 1,
        ("other", "(none)", "405"): 1,
    }


def test_whatever_clients_invent_the_labels_stay_few() -> None:
    client = EdgeClient(Settings())
    for number in range(50):
        client.open(f"/{number}", method=f"BREW{number}")
    assert len(counted(client, "request_seconds_count")) == 1


def test_answers_are_counted_by_source_also_from_the_cache_and_in_batches() -> None:
    client = EdgeClient(Settings())
    for _ in range(3):
        client.post("/best-move", json=BOARD)
    client.post("/best-moves", json={"positions": [BOARD] * 5})
    assert counted(client, "answers_total") == {
        ("tic-tac-toe", "draw", "table"): 6,
        ("tic-tac-toe", "draw", "cache"): 2,
    }


def test_the_buckets_of_a_duration_add_up() -> None:
    client = EdgeClient(Settings())
    for _ in range(7):
        client.post("/best-move", json=BOARD)
    buckets = counted(client, "request_seconds_bucket")
    assert max(buckets.values()) == 7
    assert 0 < counted(client, "request_seconds_sum")["POST", "/best-move", "200"] < 60
