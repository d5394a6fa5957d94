"""The pictures in the documentation are those that the service draws."""

from tests.docs.pages import DOCS
from tests.edge_client import EdgeClient
from tests.kernel.test_decisive import FORCED

PICTURES = {
    "potential.svg": "/position.svg?rows=4&columns=4&in_a_row=4&moves=5&size=240",
    "claim-even.svg": "/position.svg?game=connect-four&drops=574353447555456446&size=240",
    "pairs.svg": "/position.svg?rows=5&columns=5&in_a_row=5&moves=12&size=240",
    "zones.svg": "/position.svg?rows=6&columns=6&in_a_row=5&moves=14&size=240",
    "threats.svg": f"/position.svg?rows=8&columns=8&in_a_row=5&board={FORCED}&player=X&size=240",
    "proof-numbers.svg": "/position.svg?game=qubic&moves=0,61,3,63&size=240",
    "connect-four.svg": "/position.svg?game=connect-four&drops=4445526&size=240",
    "tapatan.svg": "/position.svg?game=tapatan&moves=4,0,3,5,1,7&size=240",
    "tic-tac-toe.svg": "/position.svg?moves=4,0,8&show=best,evaluation&size=240",
}


def test_the_pictures_of_the_documentation_are_what_the_service_draws(client: EdgeClient) -> None:
    pictures = {path.name: path.read_bytes() for path in (DOCS / "assets/pictures").iterdir()}
    assert pictures == {name: client.get(path).data for name, path in PICTURES.items()}
