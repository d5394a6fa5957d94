"""``/games``: the joint catalogue."""

from typing import Any

from service.games.catalogue import CATALOGUE, FAMILIES, LINE_GAMES, STATE_GAMES
from tests.edge_client import EdgeClient


def test_line_games_come_before_games_of_other_families(client: EdgeClient) -> None:
    games = client.get("/games").get_json()["games"]
    assert [game["id"] for game in games] == [*LINE_GAMES, *STATE_GAMES] == [*CATALOGUE]
    families = [game["family"] for game in games]
    assert {*families[: len(LINE_GAMES)]} == {"line"}
    assert {*families[len(LINE_GAMES) :]} == set(FAMILIES)


def test_a_form_can_be_made_of_the_families_which_say_what_requests_accept(client: EdgeClient) -> None:
    def codes(rules: dict[str, Any]) -> set[str]:
        answer = client.post("/random-position", json={"plies": 0, "game": rules}).get_json()
        return {error["code"] for error in answer.get("errors", ())}

    families = client.get("/games").get_json()["families"]
    assert [family["family"] for family in families] == ["line", *FAMILIES]
    for family in families:
        shown = {"family": family["family"]} | {each["name"]: each["example"] for each in family["parameters"]}
        required = {"family", *(each["name"] for each in family["parameters"] if each["required"])}
        assert codes(shown) == codes({name: shown[name] for name in required}) == set()
        query = {each["in_query"]: f"{each['example']}".lower() for each in family["parameters"]}
        drawn = client.get("/position.svg", query_string={"family": family["family"], **query})
        assert drawn.status_code == 200, drawn.get_json()
        for parameter in family["parameters"]:
            least, most, choices = (parameter[name] for name in ("minimum", "maximum", "choices"))
            for value in choices or ([least, most] if least else [True, False]):
                found = codes({**shown, parameter["name"]: value})
                assert found <= {"too-many-cells", "no-line-fits", "none-found"}, (parameter, value)
            for value in [0, 100, "never"] if least else ["never", 7]:
                assert codes({**shown, parameter["name"]: value}), (parameter, value)


DESCRIBED = {
    "wild-tic-tac-toe": (["mark"], False, "The first player wins in 7 plies."),
    "notakto-2": (["board_number"], False, "The second player wins in 11 plies."),
    "vanishing-tic-tac-toe": ([], True, "Best play is a draw; neither player can force an end."),
    "order-and-chaos-4x4": (["mark"], False, "Order, the first player, wins in 13 plies."),
    "pop-out-4x4": (["pop"], True, "The second player wins in 24 plies."),
    "tapatan": (["from"], True, "The first player wins in 9 plies."),
}


def test_a_description_says_what_its_moves_have_and_how_it_ends(client: EdgeClient) -> None:
    for game, expected in DESCRIBED.items():
        shown = client.get(f"/games/{game}").get_json()
        assert (shown["move_fields"], shown["loops"], shown["best_play"]) == expected, game
        assert shown["players"] == list(CATALOGUE[game].players)


def test_the_atlas_comes_only_if_it_is_asked_for(client: EdgeClient) -> None:
    assert "solved" not in client.get("/games").get_json()
    assert client.get("/games?solved=false").get_json() == client.get("/games").get_json()
    solved = client.get("/games?solved=true").get_json()["solved"]
    assert {game["family"] for game in solved} == {"line", *FAMILIES} - {"ultimate"}
    before = {"family": "vanishing", "marks": 3, "misere": False, "remove": "before"}
    (told,) = (game["best_play"] for game in solved if game["rules"] == before)
    assert told == DESCRIBED["vanishing-tic-tac-toe"][2]
    for query in ("solved=maybe", "solvd=true", "solved=true&solved=false"):
        assert client.get(f"/games?{query}").status_code == 422
