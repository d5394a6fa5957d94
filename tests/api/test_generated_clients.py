"""Two public generators make clients of the contract, and the clients work against the running service."""

import json
import subprocess
import sys
from pathlib import Path

from tests.contract import SCHEMAS
from tests.support import ROOT, Server, need

CONTRACT = str(ROOT / "openapi.yaml")
SECONDS = 120

PYTHON_CALL = """
import sys
from move_oracle_client import Client
from move_oracle_client.api.moves import analyse, find_best_move, find_best_moves, get_analysis, get_best_move, review
from move_oracle_client.models import (
    AnalysisAnswer,
    BestMoveAnswer,
    BestMoveRequest,
    BestMovesRequest,
    GaveAway,
    Outcome,
    Player,
    PlayerInLowerCase,
    Problem,
    ProblemItem,
    ReasonCode,
    ReviewRequest,
    Verdict,
)

client = Client(sys.argv[1], raise_on_unexpected_status=True)
board = ["O", 1, "X", "X", 4, "X", 6, "O", "O"]
answer = find_best_move.sync(client=client, body=BestMoveRequest(board=board, player=Player.X))
assert isinstance(answer, BestMoveAnswer)
assert (answer.move, answer.outcome, answer.score, answer.pv) == (4, Outcome.WIN, 9, [4])
assert get_best_move.sync(client=client, moves=[4, 0, 8]).position == "O...X...X"
for same in (
    BestMoveRequest(board=["O..", ".X.", "..X"], player=PlayerInLowerCase.O),
    BestMoveRequest(board=[[-1, 0, 0], [0, 1, 0], [0, 0, 1]]),
    BestMoveRequest(moves=["b2", 0, "c3"]),
    BestMoveRequest(moves="b2 a1 c3"),
):
    assert find_best_move.sync(client=client, body=same).position == "O...X...X"
assert find_best_move.sync(client=client, body=BestMoveRequest()).position == "........."
columns = find_best_move.sync(client=client, body=BestMoveRequest(game="connect-four-5x4", moves="332"))
assert isinstance(columns, BestMoveAnswer)
assert (columns.column, columns.pv_columns[:3]) == (3, [3, 2, 1])
assert get_best_move.sync(client=client, game="connect-four-5x4", drops="332") == columns
problem = find_best_move.sync(client=client, body=BestMoveRequest(board="XXXX....."))
assert isinstance(problem, Problem)
assert problem.errors[0].code == "mark-count"
analysis = analyse.sync(client=client, body=BestMoveRequest(board="XX..O...."))
assert isinstance(analysis, AnalysisAnswer)
assert analysis.moves[0].reasons[0].code == ReasonCode.BLOCKS
assert (analysis.moves[0].reasons[0].lines, analysis.threats.x) == ([[0, 1, 2]], [2])
assert get_analysis.sync(client=client, board="XX..O....") == analysis
both = find_best_moves.sync(
    client=client, body=BestMovesRequest(positions=[BestMoveRequest(board="XX..O...."), BestMoveRequest(board="?")])
)
assert both.results[0].move == 2
assert isinstance(both.results[1], ProblemItem)
reviewed = review.sync(client=client, body=ReviewRequest(moves=[0, 4, 8, 2, 6, 3, 7]))
assert (reviewed.turning_point, reviewed.plies[3].verdict) == (4, Verdict.MISTAKE)
assert reviewed.plies[3].gave_away == GaveAway.DRAW_LOSS
"""

TYPESCRIPT_CALL = """
import type { components, paths } from "./contract";

type Request = components["schemas"]["BestMoveRequest"];
type Answer = paths["/best-move"]["post"]["responses"]["200"]["content"]["application/json"];
type Review = paths["/review"]["post"]["responses"]["200"]["content"]["application/json"];
type Line = components["schemas"]["StreamLine"];
type Outcome = components["schemas"]["OutcomeOrUnknown"];
type Verdict = components["schemas"]["Verdict"];

const request: Request = { board: ["O", 1, "X", "X", 4, "X", 6, "O", "O"], player: "X" };
const columns: Request = { game: "connect-four-5x4", moves: "332" };
const named: Request = { moves: ["b2", 0, "c3"], player: "o" };
const rows: Request = { board: ["O..", [0, 1, 0], "..X"] };
// @ts-expect-error a field that the contract does not have
const misspelt: Request = { bord: "........." };

/** The moves that an analysis ranks; nothing where the line has another kind of news. */
function ranked(line: Line): number[] {
  return "result" in line ? line.result.moves.map(({ move }) => move) : [];
}

async function post(path: keyof paths, body: unknown, accept = "application/json"): Promise<Response> {
  const headers = { "Content-Type": "application/json", Accept: accept };
  return fetch(process.argv[2] + path, { method: "POST", headers, body: JSON.stringify(body) });
}

async function main(): Promise<void> {
  const answer = (await (await post("/best-move", request)).json()) as Answer;
  const { column } = (await (await post("/best-move", columns)).json()) as Answer;
  const stream = await (await post("/analysis", { board: "XX.OO.XO." }, "application/x-ndjson")).text();
  const review = (await (await post("/review", { moves: [0, 4, 8, 2] })).json()) as Review;
  const verdict: Verdict = review.plies[3].verdict satisfies "best" | "slower" | "mistake" | "unknown";
  const outcome: Outcome = answer.outcome satisfies "win" | "draw" | "loss" | "unknown";
  const moves = ranked(JSON.parse(stream) as Line);
  console.log(JSON.stringify({ move: answer.move, column, outcome, moves, verdict }));
}

main();
"""

NPM_PACKAGES = ["openapi-typescript@7.13.0", "typescript@5.9.3", "@types/node@20.19.25"]


def run(*command: str, cwd: Path) -> str:
    """What a command printed, on either stream; fails the test if the command fails."""
    done = subprocess.run(
        command, cwd=cwd, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=SECONDS, check=False
    )
    assert done.returncode == 0, done.stdout
    return done.stdout


def test_a_generated_python_client_makes_real_calls(tmp_path: Path, server: Server) -> None:
    target = str(tmp_path / "move_oracle_client")
    generator = str(Path(sys.executable).with_name("openapi-python-client"))
    said = run(generator, "generate", "--path", CONTRACT, "--meta", "none", "--output-path", target, cwd=tmp_path)
    # The generator has no notion of YAML and SVG as answers; it leaves out these bodies and nothing else.
    left_out = ("GET /openapi.yaml", "GET /position.svg", "POST /position.svg")
    assert [said.count(f"WARNING parsing {operation}") for operation in left_out] == [1, 1, 1]
    assert said.count("WARNING") == len(left_out)
    models = {path.stem for path in Path(target, "models").glob("*.py")} - {"__init__"}
    # Every class has a name of the contract: the generator would make one up for an object or a choice without a name.
    assert {name.replace("_", "") for name in models} <= {name.lower() for name in SCHEMAS}
    (tmp_path / "call.py").write_text(PYTHON_CALL)
    run(sys.executable, "call.py", server.url, cwd=tmp_path)


TSC = [
    "node_modules/.bin/tsc",
    "--strict",
    "--skipLibCheck",
    "--target",
    "es2022",
    "--module",
    "commonjs",
    "--types",
    "node",
]


def test_generated_typescript_types_catch_a_misspelt_field_and_a_call_with_them_works(
    tmp_path: Path, server: Server
) -> None:
    run(need("npm"), "install", "--silent", "--no-save", "--prefix", str(tmp_path), *NPM_PACKAGES, cwd=tmp_path)
    run("node_modules/.bin/openapi-typescript", CONTRACT, "--output", "contract.d.ts", cwd=tmp_path)
    (tmp_path / "call.ts").write_text(TYPESCRIPT_CALL)
    run(*TSC, "call.ts", cwd=tmp_path)
    said = run(need("node"), "call.js", server.url, cwd=tmp_path)
    assert json.loads(said) == {"move": 4, "column": 3, "outcome": "win", "moves": [2, 5, 8], "verdict": "mistake"}
