"""``/games``: the joint catalogue."""

from service.games.catalogue import CATALOGUE, FAMILIES, LINE_GAMES, STATE_GAMES
from tests.edge_client import EdgeClient


def test_line_games_come_before_games_of_other_families(client: EdgeClient) -> None:
    games = client.get("/games").get_json()["games"]
    assert [game["id"] for game in games] == [*LINE_GAMES, *STATE_GAMES]
    assert {game["family"] for game in games[: len(LINE_GAMES)]} == {"line"}
    assert {game["family"] for game in games[len(LINE_GAMES) :]} == set(FAMILIES)
    assert len(CATALOGUE) == len(LINE_GAMES) + len(STATE_GAMES)  # no two games have the same id


def test_a_form_can_be_made_of_the_families(client: EdgeClient) -> None:
    families = client.get("/games").get_json()["families"]
    assert [family["family"] for family in families] == ["line", *FAMILIES]
    for family in families:
        shown = {parameter["name"]: parameter["example"] for parameter in family["parameters"]}
        required = {parameter["name"] for parameter in family["parameters"] if parameter["required"]}
        for rules in (shown, {name: shown[name] for name in required}):
            asked = {"game": {"family": family["family"], **rules}, "limit": {"nodes": 1}}
            assert client.post("/best-move", json=asked).status_code == 200, asked
            query = {parameter["in_query"]: rules.get(parameter["name"]) for parameter in family["parameters"]}
            query = {name: str(value).lower() for name, value in query.items() if value is not None}
            drawn = client.get("/position.svg", query_string={"family": family["family"], **query})
            assert drawn.status_code == 200, drawn.get_json()


def test_what_the_families_say_of_a_parameter_is_what_requests_accept(client: EdgeClient) -> None:
    for family in client.get("/games").get_json()["families"]:
        shown = {"family": family["family"]} | {each["name"]: each["example"] for each in family["parameters"]}
        for parameter in family["parameters"]:
            least, most, choices = (parameter[name] for name in ("minimum", "maximum", "choices"))
            legal = choices or ([least, most] if least else [True, False])
            for value in legal:
                asked = client.post("/random-position", json={"plies": 0, "game": {**shown, parameter["name"]: value}})
                codes = {error["code"] for error in asked.get_json().get("errors", ())}
                assert codes <= {"too-many-cells", "no-line-fits", "none-found"}, asked.get_json()
            for value in [0, 100, "never"] if least else ["never", 7]:
                asked = client.post("/random-position", json={"game": {**shown, parameter["name"]: value}})
                assert asked.status_code == 422, asked.get_json()


def test_the_parameters_of_a_game_are_its_rules(client: EdgeClient) -> None:
    for game in STATE_GAMES.values():
        shown = client.get(f"/games/{game.id}").get_json()
        same = FAMILIES[shown["family"]](**shown["parameters"])
        assert same.digest == game.digest
        assert shown["players"] == list(same.players)


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


def test_the_atlas_comes_only_if_it_is_asked_for(client: EdgeClient) -> None:
    assert "solved" not in client.get("/games").get_json()
    assert client.get("/games?solved=false").get_json() == client.get("/games").get_json()
    solved = client.get("/games?solved=true").get_json()["solved"]
    assert {game["family"] for game in solved} == {"line", *FAMILIES}
    vanishing = {"family": "vanishing", "marks": 3, "misere": False}
    told = {
        remove: next(game["best_play"] for game in solved if game["rules"] == {**vanishing, "remove": remove})
        for remove in ("after", "before")
    }
    assert told == {"after": DESCRIBED["tapatan"][2], "before": DESCRIBED["vanishing-tic-tac-toe"][2]}
    for query in ("solved=maybe", "solvd=true", "solved=true&solved=false"):
        assert client.get(f"/games?{query}").status_code == 422
