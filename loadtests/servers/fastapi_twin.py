"""The twin that the benchmark compares with: the same answers, looked up in a table, behind FastAPI.

It reads one notation and leaves out what the service does beside answering: request ids, metrics, problem documents,
caching headers. All of that is to its advantage.
"""

from fastapi import FastAPI, HTTPException, Response
from pydantic import BaseModel, ConfigDict

from loadtests.servers.twin_answers import ANSWERS


class BestMoveRequest(BaseModel):
    """The body of a request."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)

    board: str


app = FastAPI()


@app.post("/best-move")
async def best_move(request: BestMoveRequest) -> Response:
    """Answer about a board; 422 if it is none."""
    answer = ANSWERS.get(request.board)
    if answer is None:
        raise HTTPException(422, "This board cannot arise.")
    return Response(answer, media_type="application/json")


@app.get("/readyz")
async def readyz() -> dict[str, str]:
    """Say that the twin runs."""
    return {"status": "ready"}
