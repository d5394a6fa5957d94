"""The prompt by which people ask a model to teach them a position."""

from collections.abc import Mapping
from types import MappingProxyType

from service.mcp import calls
from service.mcp.routes import Ask

NAME = "teach_position"
TITLE = "Teach me this position"
DESCRIPTION = "A lesson about a position: the model asks first, and explains with proven answers."

ARGUMENTS: Mapping[str, str] = MappingProxyType(
    {
        "game": "Id of a game, such as connect-four; by default tic-tac-toe.",
        "moves": "The moves so far, such as b2 a1, or 4453 in Connect Four.",
        "board": "The cells row by row, such as X...O...., instead of the moves.",
    }
)


async def lesson(ask: Ask, given: Mapping[str, str]) -> str:
    """Return what to tell the model. Raises RouteRefusal for a position that is not understood."""
    position = {name: given[name] for name in ARGUMENTS if given.get(name)}
    known = await calls.analyze_position(ask, position)
    arguments = ", ".join(f"{name}: {value}" for name, value in position.items()) or "the empty board of tic-tac-toe"
    return (
        f"Teach me this position ({arguments}). It reads {known.data['position']}, {known.data['player']} to move.\n\n"
        "First ask me which move I would play and why, and wait for my answer. Then use explain_move for my move and "
        "compare_moves for my move and the best one. Tell me in simple words what my move does, what it gives away if "
        "it does, and what to look for in such a position: threats, forks, what must be blocked. Claim nothing that "
        "the tools have not said. End with one rule that I can remember, and offer find_puzzle for practice.\n\n"
        f"For you, not to be told at once: {known.sentence}"
    )
