"""The tools, named after the questions that they answer, and the prompt for a lesson."""

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
    """A tool: its description for models, and its function.

    An answer that is ``pictured`` contains the picture of its position, if the client shows boards.
    """

    title: str
    description: str
    arguments: Mapping[str, Any]
    call: Callable[[Ask, Arguments], Awaitable[calls.ToolAnswer]]
    pictured: bool = False


TOOLS: Mapping[str, Tool] = MappingProxyType(
    {
        "best_move": Tool(
            "Best move",
            "Find the best move of a position of tic-tac-toe, Connect Four or a relative, its exact value and the line "
            f"of best play. {READ_BY}",
            described(*POSITION, "limit", "skill", "tie_break", "seed"),
            calls.best_move,
        ),
        "analyze_position": Tool(
            "Analyze a position",
            "Rank every legal move of a position, best first, each with its exact value and the reasons for it; show "
            f"the board where the host can. {READ_BY}",
            described(*POSITION, "limit"),
            calls.analyze_position,
            pictured=True,
        ),
        "compare_moves": Tool(
            "Compare moves",
            f"Compare some moves of a position: which is best, and what each leads to. {READ_BY}",
            described(*POSITION, "limit", required=("compare",), compare=COMPARE),
            calls.compare_moves,
        ),
        "explain_move": Tool(
            "Explain a move",
            "Explain why a move is good or bad in the position before it, with the better move if there is one. "
            f"{READ_BY}",
            described(*POSITION, "limit", move=MOVE),
            calls.explain_move,
        ),
        "review_game": Tool(
            "Review a game",
            "Review a whole game move by move: mistakes, what was best, accuracy and the turning point.",
            described("game", "moves", "first_player", "limit", required=("moves",)),
            calls.review_game,
        ),
        "find_puzzle": Tool(
            "Find a puzzle",
            "Find positions in which exactly one move wins, or holds the draw.",
            described("game", "goal", "plies", "plies_at_least", "plies_at_most", "count", "solution", "seed", "limit"),
            calls.find_puzzle,
        ),
        "list_games": Tool(
            "List the games",
            "List all games with their ids, rules and theoretical values.",
            described("solved"),
            calls.list_games,
        ),
        "describe_rules": Tool(
            "Describe the rules",
            "Describe the rules of one game, its size and who wins under best play.",
            described("game"),
            calls.describe_rules,
        ),
    }
)

PROMPT = "teach_position"
PROMPT_TITLE = "Teach me this position"
PROMPT_DESCRIPTION = "A lesson about a position: the model asks first, and explains with proven answers."

PROMPT_ARGUMENTS: Mapping[str, str] = MappingProxyType(
    {
        "game": "Id of a game, such as connect-four; by default tic-tac-toe.",
        "moves": "The moves so far, such as b2 a1, or 4453 in Connect Four.",
        "board": "The cells row by row, such as X...O...., instead of the moves.",
    }
)


async def lesson(ask: Ask, given: Mapping[str, str]) -> str:
    """Return the text of the prompt. Raises RouteRefusal for an invalid position."""
    position = {name: given[name] for name in PROMPT_ARGUMENTS if given.get(name)}
    known = await calls.analyze_position(ask, position)
    arguments = ", ".join(f"{name}: {value}" for name, value in position.items()) or "the empty board of tic-tac-toe"
    return (
        f'Teach me this position ({arguments}). It reads "{known.data["position"]}", '
        f"{known.data['player']} to move.\n\n"
        "First ask me which move I would play and why, and wait for my answer. Then use explain_move for my move and "
        "compare_moves for my move and the best one. Tell me in simple words what my move does, what it gives away if "
        "it does, and what to look for in such a position: threats, forks, what must be blocked. Claim nothing that "
        "the tools have not said. End with one rule that I can remember, and offer find_puzzle for practice.\n\n"
        f"For you, not to be told at once: {known.sentence}"
    )
