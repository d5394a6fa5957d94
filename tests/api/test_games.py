"""``/games``: the joint catalogue."""

import pytest

from service.families.all_games import ALL_GAMES
from service.families.catalogue import FAMILIES, FAMILY_GAMES
from service.games.catalogue import CATALOGUE
from tests.edge_client import EdgeClient


def test_line_games_come_before_games_of_other_families(client: EdgeClient) -> None:
    games = client.get("/games").get_json()["games"]
    assert [game["id"] for game in games] == [*CATALOGUE, *FAMILY_GAMES]
    assert {game["family"] for game in games[: len(CATALOGUE)]} == {"line"}
    assert {game["family"] for game in games[len(CATALOGUE) :]} == set(FAMILIES)


def test_no_two_games_have_the_same_id() -> None:
    assert len(ALL_GAMES) == len(CATALOGUE) + len(FAMILY_GAMES)


@pytest.mark.parametrize("id", FAMILY_GAMES)
def test_the_parameters_of_a_game_are_its_rules(client: EdgeClient, id: str) -> None:
    shown = client.get(f"/games/{id}").get_json()
    same = FAMILIES[shown["family"]](**shown["parameters"])
    assert same.digest == FAMILY_GAMES[id].digest
    assert shown["players"] == list(same.players)
    assert shown["best_play"].endswith(".")


@pytest.mark.parametrize(
    ("id", "fields", "loops", "best_play"),
    [
        ("wild-tic-tac-toe", ["mark"], False, "The first player wins in 7 plies."),
        ("notakto-2", ["board_number"], False, "The second player wins in 11 plies."),
        ("vanishing-tic-tac-toe", [], True, "Best play is a draw; neither player can force an end."),
        ("order-and-chaos-4x4", ["mark"], False, "Order, the first player, wins in 13 plies."),
        ("pop-out-4x4", ["pop"], True, "The second player wins in 24 plies."),
        ("tapatan", ["from"], True, "The first player wins in 9 plies."),
    ],
)
def test_a_description_says_what_its_moves_have_and_how_it_ends(
    client: EdgeClient, id: str, fields: list[str], loops: object, best_play: str
) -> None:
    shown = client.get(f"/games/{id}").get_json()
    assert (shown["move_fields"], shown["loops"], shown["best_play"]) == (fields, loops, best_play)


def test_the_atlas_comes_only_if_it_is_asked_for(client: EdgeClient) -> None:
    assert "solved" not in client.get("/games").get_json()
    assert client.get("/games?solved=false").get_json() == client.get("/games").get_json()
    solved = client.get("/games?solved=true").get_json()["solved"]
    assert {game["family"] for game in solved} == {"line", *FAMILIES}
    after, before = (
        next(
            game
            for game in solved
            if game["rules"] == {"family": "vanishing", "marks": 3, "remove": remove, "misere": False}
        )
        for remove in ("after", "before")
    )
    assert after["best_play"] == "The first player wins in 9 plies."
    assert before["best_play"] == "Best play is a draw; neither player can force an end."


@pytest.mark.parametrize("query", ["solved=maybe", "solvd=true", "solved=true&solved=false"])
def test_a_query_that_cannot_be_read_is_refused(client: EdgeClient, query: str) -> None:
    assert client.get(f"/games?{query}").status_code == 422
