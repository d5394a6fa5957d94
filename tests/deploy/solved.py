"""What every install of the service knows without a setting: Connect Four."""

import httpx


def assert_connect_four_is_solved(url: str) -> None:
    """Ask for the analysis of the empty board, with a limit that no search could keep, and for the books."""
    question = {"game": "connect-four", "moves": [], "limit": {"nodes": 1}}
    answer = httpx.post(f"{url}/analysis", json=question).json()
    assert (answer["outcome"], answer["plies"], answer["column"]) == ("win", 41, 3)
    assert [move["exact"] for move in answer["moves"]] == [True] * 7
    (book,) = (book for book in httpx.get(f"{url}/version").json()["books"] if book["kind"] == "scores")
    assert (book["game"], "Markus Thill" in book["source"]) == ("connect-four", True)
