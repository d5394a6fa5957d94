"""What best play leads to, in a sentence."""

import pytest

from service.explain.outcomes import best_play


@pytest.mark.parametrize(
    ("outcome", "plies", "players", "repetition", "sentence"),
    [
        ("win", 7, ("X", "O"), False, "The first player wins in 7 plies."),
        ("loss", 10, ("first", "second"), False, "The second player wins in 10 plies."),
        ("win", None, ("X", "O"), False, "The first player wins."),
        ("loss", 12, ("Chaos", "Order"), False, "Order, the second player, wins in 12 plies."),
        ("win", 9, ("odd", "even"), False, "Odd, the first player, wins in 9 plies."),
        ("draw", 9, ("X", "O"), False, "Best play is a draw."),
        ("draw", None, ("X", "O"), False, "Best play is a draw."),
        ("draw", None, ("X", "O"), True, "Best play is a draw; neither player can force an end."),
    ],
)
def test_a_value_is_a_sentence(
    outcome: str, plies: int | None, players: tuple[str, str], repetition: object, sentence: str
) -> None:
    assert best_play(outcome, plies, players, repetition=bool(repetition)) == sentence
