"""Calls of every tool, with valid and invalid arguments, and what is said."""

from typing import Any, NamedTuple


class Case(NamedTuple):
    """A call; ``said`` is a part of what the answer, or the refusal, says."""

    tool: str
    arguments: dict[str, Any]
    said: str
    refused: bool = False


CASES = {
    "the empty board": Case("best_move", {}, "Best for X is a1, a proven draw. Holds the draw."),
    "null for what is left out": Case("best_move", {"board": "XX.OO....", "player": None, "limit": None}, "in 1 ply"),
    "a game that is over": Case("best_move", {"board": "XXXOO...."}, "X has completed the top row and won."),
    "columns": Case(
        "best_move", {"game": "connect-four", "moves": "4455"}, "Best for X is column 3, a proven win in 3"
    ),
    "another family": Case("best_move", {"game": "wild-tic-tac-toe"}, "Best for the first player is Xb2, a proven win"),
    "a weaker player": Case(
        "best_move", {"board": "XX..O....", "skill": 20, "seed": 2}, "At skill 20 O plays a3, a proven loss in 2 plies."
    ),
    "no such game": Case("best_move", {"game": "gomoku"}, "no game gomoku. The tool list_games lists", refused=True),
    "two faults": Case("best_move", {"skill": 101, "player": "Z"}, "skill must be at most 100.", refused=True),
    "an analysis": Case("analyze_position", {"board": "XX..O...."}, "Of 6 legal moves: 1 draw and 5 lose."),
    "what is not proven": Case(
        "analyze_position",
        {"game": {"rows": 4, "columns": 5, "in_a_row": 4}, "limit": {"nodes": 10}},
        "not proven within the limit; the estimate is",
    ),
    "an analysis of nothing": Case("analyze_position", {"board": 5}, "board", refused=True),
    "worse moves": Case("compare_moves", {"moves": "b2", "compare": "b1, c2"}, "Better than all of these is a1."),
    "what looks better": Case(
        "compare_moves",
        {"game": {"rows": 6, "columns": 6, "in_a_row": 5}, "compare": "a1", "limit": {"nodes": 100}},
        "Better than that looks ",
    ),
    "a move than which none is proven to be better": Case(
        "explain_move",
        {"game": {"rows": 6, "columns": 6, "in_a_row": 5}, "move": "d3", "limit": {"nodes": 100}},
        "No better move was found.",
    ),
    "moves of a family": Case(
        "compare_moves", {"game": "wild-tic-tac-toe", "compare": ["O0", "X4"]}, "Xb2 wins in 7 plies; Oa1 draws."
    ),
    "nothing to compare": Case("compare_moves", {"moves": "b2"}, "compare must be a list", refused=True),
    "two moves at once": Case("compare_moves", {"compare": ["a1 b1"]}, "one move at a time", refused=True),
    "after the end": Case("compare_moves", {"board": "XXXOO....", "compare": ["c3"]}, "was over before", refused=True),
    "a mistake explained": Case(
        "explain_move", {"moves": "b2", "move": "b1"}, "b1 loses in 6 plies for O: Gives the draw away"
    ),
    "a column explained": Case("explain_move", {"game": "connect-four", "move": "column 4"}, "Column 4 wins in 41 "),
    "a number that can mean two columns": Case(
        "explain_move", {"game": "connect-four", "move": 3}, '"3" can mean column 4 or column 3, ', refused=True
    ),
    "a number that can mean one column": Case(
        "compare_moves", {"game": "connect-four", "moves": [0, 6], "compare": [0, 7]}, "; column 7 loses in 38 plies."
    ),
    "a cell that can be two": Case("explain_move", {"move": "(1,1)"}, '"(1,1)" can mean b2 or a1, ', refused=True),
    "a cell of a family": Case(
        "best_move", {"game": "vanishing-tic-tac-toe", "moves": "b2 a1 c3 a3 a2 c2"}, "Best for X is b1, a proven draw."
    ),
    "a piece that moves": Case(
        "best_move", {"game": "tapatan", "board": "OOX...XXO", "player": "O"}, "Best for O is b1-b2, a proven win in 1 "
    ),
    "a disc that is popped": Case(
        "explain_move", {"game": "pop-out-4x4", "moves": "d0 d1", "move": "p0"}, "Popping column 1 "
    ),
    "the end explained": Case("explain_move", {"board": "XXXOO...."}, "X has completed the top row and won."),
    "a review": Case("review_game", {"moves": "b2 b1 a1"}, "The game turned at ply 2, when O chose b1: Gives the draw"),
    "a review without mistakes": Case("review_game", {"moves": []}, "X was not judged"),
    "a review of nothing": Case("review_game", {}, "moves is required.", refused=True),
    "a puzzle": Case("find_puzzle", {"seed": 3, "solution": True}, '". X to move: find the only move that wins.'),
    "the name of a solution": Case("find_puzzle", {"seed": 1, "solution": True}, " Solution: a3. Makes a fork"),
    "too many puzzles": Case("find_puzzle", {"count": 99}, "count must be at most 10.", refused=True),
    "the catalogue": Case("list_games", {}, "tic-tac-toe, misere-tic-tac-toe"),
    "a catalogue of something": Case("list_games", {"of": "chess"}, "There is no field of.", refused=True),
    "rules": Case("describe_rules", {"game": "connect-four"}, "Connect Four on 6x7: Players take turns"),
    "rules of a misspelt game": Case("describe_rules", {"game": "conect-four"}, "connect-four?", refused=True),
    "rules of a position": Case("describe_rules", {"board": "X"}, "There is no field board.", refused=True),
    "no move to compare": Case("compare_moves", {"compare": [{}]}, "compare must be a number", refused=True),
}
