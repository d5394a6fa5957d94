"""The tools, named after the questions that they answer."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from service.mcp import calls
from service.mcp.arguments import COMPARE, MOVE, POSITION, described
from service.mcp.routes import Arguments, Ask

READ_BY = "The answer is proven unless it says otherwise; repeat its first sentence."


@dataclass(frozen=True, slots=True)
class Tool:
    """A tool: what a model reads of it, the schema of its answer in the contract, and what it does.

    An answer that is ``pictured`` has the picture of its position, where the client shows boards.
    """

    title: str
    description: str
    arguments: Mapping[str, Any]
    answer: str
    call: Callable[[Ask, Arguments], Awaitable[calls.ToolAnswer]]
    pictured: bool = False


TOOLS: Mapping[str, Tool] = MappingProxyType(
    {
        "best_move": Tool(
            "Best move",
            "Find the best move of a position of tic-tac-toe, Connect Four or a relative, its exact value and the line "
            f"of best play. {READ_BY}",
            described(*POSITION, "limit", "skill", "tie_break", "seed"),
            "BestMoveAnswer",
            calls.best_move,
        ),
        "analyze_position": Tool(
            "Analyze a position",
            "Rank every legal move of a position, best first, each with its exact value and the reasons for it; show "
            f"the board where the host can. {READ_BY}",
            described(*POSITION, "limit"),
            "AnalysisAnswer",
            calls.analyze_position,
            pictured=True,
        ),
        "compare_moves": Tool(
            "Compare moves",
            f"Compare some moves of a position: which is best, and what each leads to. {READ_BY}",
            described(*POSITION, "limit", required=("compare",), compare=COMPARE),
            "AnalysisAnswer",
            calls.compare_moves,
        ),
        "explain_move": Tool(
            "Explain a move",
            "Explain why a move is good or bad in the position before it, with the better move if there is one. "
            f"{READ_BY}",
            described(*POSITION, "limit", move=MOVE),
            "AnalysisAnswer",
            calls.explain_move,
        ),
        "review_game": Tool(
            "Review a game",
            "Review a whole game move by move: mistakes, what was best, accuracy and the turning point.",
            described("game", "moves", "first_player", "limit", required=("moves",)),
            "ReviewAnswer",
            calls.review_game,
        ),
        "find_puzzle": Tool(
            "Find a puzzle",
            "Find positions of a line game in which exactly one move wins, or holds the draw.",
            described("game", "goal", "plies", "plies_at_least", "plies_at_most", "count", "solution", "seed", "limit"),
            "PuzzlesAnswer",
            calls.find_puzzle,
        ),
        "list_games": Tool(
            "List the games",
            "List all games with their ids, rules and theoretical values.",
            described("solved"),
            "Catalogue",
            calls.list_games,
        ),
        "describe_rules": Tool(
            "Describe the rules",
            "Describe the rules of one game, its size and who wins under best play.",
            described("game"),
            "GameDescription",
            calls.describe_rules,
        ),
    }
)
