"""A client like a language model plays a game of Connect Four by the tools of Move Oracle, and asks why at each move.

Needs the SDK of the Model Context Protocol (``pip install mcp``), and a service that it can reach: ``make serve``, or
MOVE_ORACLE=http://somewhere:8000. X plays like a casual player, O perfectly; the seed makes the game repeatable.
"""

import asyncio
import json
import os
from typing import Any

from mcp import Client

ORACLE = os.environ.get("MOVE_ORACLE", "http://localhost:8000")
GAME = "connect-four"
CASUAL = {"skill": 30, "seed": 5}
"""How X plays."""


class Conversation:
    """Asks the tools, and prints what was asked and what was said."""

    def __init__(self, client: Client) -> None:
        self._client = client

    async def ask(self, question: str, tool: str, **arguments: Any) -> dict[str, Any]:
        """Return the data of an answer, and print its sentence."""
        print(f"\n{question}\n> {tool} {json.dumps(arguments)}")
        result = await self._client.call_tool(tool, arguments)
        sentence, *data = [getattr(part, "text", "") for part in result.content]
        if result.is_error:
            raise SystemExit(sentence)
        print(sentence)
        answer: dict[str, Any] = json.loads(data[0])
        return answer


async def play(conversation: Conversation) -> None:
    """Play a game to its end, and review it."""
    await conversation.ask("What are the rules?", "describe_rules", game=GAME)
    moves, player, status = "", "X", "in_progress"
    while status == "in_progress":
        position = {"game": GAME, "moves": moves}
        how = CASUAL if player == "X" else {}
        chosen = await conversation.ask(f"{len(moves) + 1}. What does {player} play?", "best_move", **position, **how)
        column = str(chosen["column"] + 1)
        await conversation.ask("Why?", "explain_move", **position, move=f"column {column}")
        moves, status = moves + column, chosen["next_status"]
        player = "O" if player == "X" else "X"
    await conversation.ask("Who won, and where was the game lost?", "review_game", game=GAME, moves=moves)


async def main() -> None:
    """Connect and play."""
    async with Client(f"{ORACLE}/mcp") as client:
        print("The tools are", ", ".join(tool.name for tool in (await client.list_tools()).tools))
        await play(Conversation(client))


if __name__ == "__main__":
    asyncio.run(main())
