"""``/games``: the joint catalogue."""

from service.families.all_games import ALL_GAMES
from service.families.catalogue import FAMILIES, FAMILY_GAMES
from service.games.catalogue import CATALOGUE
from tests.edge_client import EdgeClient


def test_line_games_come_before_games_of_other_families(client: EdgeClient) -> None:
    games = client.get("/games").get_json()["games"]
    assert [game["id"] for game in games] == [*CATALOGUE, *FAMILY_GAMES]
    assert {game["family"] for game in games[: len(CATALOGUE)]} == {"line"}
    assert {game["family"] for game in games[len(CATALOGUE) :]} == set(FAMILIES)
    assert len(ALL_GAMES) == len(CATALOGUE) + len(FAMILY_GAMES)  # no two games have the same id


def test_the_parameters_of_a_game_are_its_rules(client: EdgeClient) -> None:
    for game in FAMILY_GAMES.values():
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
