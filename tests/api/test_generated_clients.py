"""Public generators make clients of the contract, whose types need no narrowing and which work against the service.

Plain types of TypeScript are tested with ``examples/client.ts``.
"""

import json
import sys
from pathlib import Path

import pytest

from tests.contract import SCHEMAS
from tests.programs import run, written
from tests.support import ROOT, Server
from tests.typescript import run_typescript

pytestmark = pytest.mark.verify

CONTRACT = str(ROOT / "openapi.yaml")

PYTHON_CALL = """
import sys
from typing import assert_never

from move_oracle_client import Client
from move_oracle_client import models as made
from move_oracle_client.api.moves import find_best_move, find_best_moves, get_best_move
from move_oracle_client.models import BestMoveRequest, ExactAnswer, ProvenAnswer, UnprovenAnswer

client = Client(sys.argv[1], raise_on_unexpected_status=True)
Answer = made.FinishedAnswer | ExactAnswer | ProvenAnswer | UnprovenAnswer | made.UncheckedAnswer


def ask(request: BestMoveRequest) -> Answer:
    answer = find_best_move.sync(client=client, body=request)
    assert isinstance(answer, Answer), answer
    return answer


def told(answer: Answer) -> str:
    match answer:
        case made.FinishedAnswer():
            return f"{answer.status.value} {answer.move}"
        case ExactAnswer():
            return f"{answer.move + 0} {answer.outcome.value} in {answer.plies} for {answer.score + 0}"
        case ProvenAnswer():
            return f"{answer.move + 0} {answer.outcome.value} {answer.plies_at_most > answer.plies_at_least}"
        case UnprovenAnswer():
            return f"{answer.outcome} {answer.at_least != answer.at_most} {isinstance(answer.estimate, float)}"
        case made.UncheckedAnswer():
            return f"{answer.status.value} {answer.outcome}"
        case _:
            assert_never(answer)


board: list[int | str | None] = ["O", 1, "X", "X", 4, "X", 6, "O", "O"]
assert told(ask(BestMoveRequest(board=board, player="X"))) == "4 win in 1 for 9"
assert told(ask(BestMoveRequest(board="XXXOO...."))) == "won None"
limits = [made.SearchLimit(nodes=2**power) for power in range(19)]
searched = [ask(BestMoveRequest(game="connect-four-5x4", moves="542", limit=limit)) for limit in limits]
assert {type(answer) for answer in searched} == {ExactAnswer, ProvenAnswer, UnprovenAnswer}
assert {"13 win True", "unknown True True"} <= {told(answer) for answer in searched}

got = get_best_move.sync(client=client, moves=[4, 0, 8])
assert isinstance(got, ExactAnswer) and got.outcome == made.Outcome.DRAW
rows: list[list[int | str | None] | str] = ["O..", [None, "X", None], "..X"]
assert ask(BestMoveRequest(board=rows)) == ask(BestMoveRequest(moves=["b2", 0, "c3"])) == got
columns = ask(BestMoveRequest(game="connect-four-5x4", moves="332"))
assert isinstance(columns, ExactAnswer) and isinstance(columns.pv_columns, list)
problem = find_best_move.sync(client=client, body=BestMoveRequest(board="XXXX....."))
assert isinstance(problem, made.ProblemDocument) and isinstance(problem.errors, list)
assert problem.errors[0].code == "mark-count"

fading = find_best_move.sync(client=client, body=BestMoveRequest(game=made.VanishingRules(family="vanishing")))
assert isinstance(fading, ExactAnswer) and fading.repetition and fading.plies is None
moved = get_best_move.sync(client=client, game="tapatan", moves=["0", "1", "3", "4", "8", "6"])
assert isinstance(moved, ExactAnswer) and isinstance(moved.from_, int) and isinstance(moved.board, str)
wild = BestMoveRequest(game="wild-tic-tac-toe", moves=["X4", "O0"])
both = find_best_moves.sync(client=client, body=made.BestMovesRequest(positions=[BestMoveRequest(board="?"), wild]))
assert both is not None and not isinstance(both, made.ProblemDocument)
refused, answered = both.results
cell: int | None = ask(BestMoveRequest()).move
assert isinstance(refused, made.ProblemItem) and isinstance(answered, ExactAnswer) and answered.mark in ("X", "O")
"""

PYTHON_WITHOUT_KINDS = """
from move_oracle_client import Client
from move_oracle_client.api.moves import find_best_move
from move_oracle_client.models import BestMoveRequest, ProblemDocument

answer = find_best_move.sync(client=Client("http://localhost"), body=BestMoveRequest())
assert answer is not None and not isinstance(answer, ProblemDocument)
plies: int = answer.plies
estimate: float = answer.estimate
"""

TYPESCRIPT_CALL = """
import createClient from "openapi-fetch";
import type { paths } from "./contract";
import { analyse, findBestMove, review } from "./hey/sdk.gen";

const baseUrl = process.argv[2];
const client = createClient<paths>({ baseUrl });

async function main() {
  const over = { board: "XXXOO...." }, game = { moves: [0, 4, 8, 2] };
  const fetched = await client.POST("/best-move", { body: over });
  const called = await findBestMove({ body: over, baseUrl });
  if (!fetched.data || !called.data) throw new Error(fetched.error?.detail);
  const moves: (number | null)[] = [fetched.data.move, fetched.data.plies, called.data.move, called.data.plies];
  const [ranked, same] = [await client.POST("/analysis", { body: {} }), await analyse({ body: {}, baseUrl })];
  const [judged, again] = [await client.POST("/review", { body: game }), await review({ body: game, baseUrl })];
  const counts = [ranked, same].map(({ data }) => data?.moves.length);
  const verdicts = [judged, again].map(({ data }) => data?.plies.length);
  console.log(JSON.stringify([moves, counts, verdicts]));
}

main();
"""


def test_clients_of_typescript_read_answers_without_narrowing_them(tmp_path: Path, server: Server) -> None:
    packages = ("openapi-fetch@0.17.0", "@hey-api/openapi-ts@0.95.0")
    said = run_typescript(TYPESCRIPT_CALL, server.url, tmp_path, *packages)
    assert json.loads(said) == [[None, 0, None, 0], [9, 9], [4, 4]]


# The types that the client has for its user are strict; the code that the generator adds to every client is not.
MYPY = [sys.executable, "-m", "mypy", "--strict", "--follow-imports=silent", "--config-file="]


def test_strictly_typed_programs_make_real_calls_with_the_python_client(tmp_path: Path, server: Server) -> None:
    target = tmp_path / "move_oracle_client"
    generator = str(Path(sys.executable).with_name("openapi-python-client"))
    made = ("generate", "--path", CONTRACT, "--meta", "none", "--output-path", str(target))
    generated = run(generator, *made, cwd=tmp_path)
    said = generated.stdout + generated.stderr
    assert generated.returncode == 0, said
    # The generator has no notion of answers that are YAML, images or JSON lines; it leaves out these and nothing else.
    left_out = (
        "GET /openapi.yaml",
        "GET /position.png",
        "GET /position.svg",
        "POST /position.svg",
        "POST /proof",
        "POST /best-moves/lines",
    )
    assert [said.count(f"WARNING parsing {operation}") for operation in left_out] == [1] * len(left_out)
    assert said.count("WARNING") == len(left_out)
    # The generator would make up a name for an object or a choice without one.
    models = {path.stem for path in (target / "models").glob("*.py")} - {"__init__"}
    assert {name.replace("_", "") for name in models} <= {name.lower() for name in SCHEMAS}

    (tmp_path / "call.py").write_text(PYTHON_CALL)
    written(*MYPY, "call.py", cwd=tmp_path)
    written(sys.executable, "call.py", server.url, cwd=tmp_path)
    (tmp_path / "wrong.py").write_text(PYTHON_WITHOUT_KINDS)
    done = run(*MYPY, "wrong.py", cwd=tmp_path)
    assert done.returncode == 1, done.stdout
    assert 'has type "int | None"' in done.stdout
    assert 'has no attribute "estimate"' in done.stdout
