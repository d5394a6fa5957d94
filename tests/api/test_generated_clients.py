"""Two public generators make clients of the contract, and the clients work against the running service."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.contract import SCHEMAS
from tests.support import ROOT, Server, need

pytestmark = pytest.mark.verify

CONTRACT = str(ROOT / "openapi.yaml")
SECONDS = 120

PYTHON_CALL = """
import sys

from move_oracle_client import Client
from move_oracle_client.api.moves import analyse, find_best_move, find_best_moves, get_analysis, get_best_move, review
from move_oracle_client.models import (
    BestMoveRequest,
    BestMovesRequest,
    ExactAnalysis,
    ExactAnswer,
    ExactMove,
    FamilyBestMoveRequest,
    FamilyReviewAnswer,
    FamilyReviewRequest,
    FinishedAnalysis,
    FinishedAnswer,
    GaveAway,
    GridRules,
    MorrisAnswer,
    NotaktoAnswer,
    NumericalAnalysis,
    Outcome,
    Player,
    PlayerInLowerCase,
    Problem,
    ProblemItem,
    ProvenAnswer,
    ProvenMove,
    ReasonCode,
    ReviewAnswer,
    ReviewRequest,
    SearchLimit,
    UnprovenAnalysis,
    UnprovenAnswer,
    UnprovenMove,
    VanishingAnswer,
    VanishingRules,
    Verdict,
    WildAnswer,
)

client = Client(sys.argv[1], raise_on_unexpected_status=True)


def ask(request: BestMoveRequest) -> FinishedAnswer | ExactAnswer | ProvenAnswer | UnprovenAnswer:
    answer = find_best_move.sync(client=client, body=request)
    assert isinstance(answer, FinishedAnswer | ExactAnswer | ProvenAnswer | UnprovenAnswer), answer
    return answer


def told(answer: FinishedAnswer | ExactAnswer | ProvenAnswer | UnprovenAnswer) -> str:
    if isinstance(answer, FinishedAnswer):
        over: None = answer.move
        return f"{answer.status.value} {over}"
    move: int = answer.move
    if isinstance(answer, ExactAnswer):
        return f"{move} {answer.outcome.value} in {answer.plies - 1 + 1} for {answer.score - 1 + 1}"
    if isinstance(answer, ProvenAnswer):
        more: int = answer.plies_at_most - answer.plies_at_least
        return f"{move} {answer.outcome.value} {more > 0}"
    bounds: tuple[Outcome, Outcome] = answer.at_least, answer.at_most
    return f"{move} {answer.outcome} {bounds[0] != bounds[1]} {-1 <= answer.estimate <= 1}"


def worth(move: ExactMove | ProvenMove | UnprovenMove) -> float:
    if isinstance(move, UnprovenMove):
        return move.estimate
    return {Outcome.WIN: 1.0, Outcome.DRAW: 0.0, Outcome.LOSS: -1.0}[move.outcome]


Cells = list[int | str | None]
board: Cells = ["O", 1, "X", "X", 4, "X", 6, "O", "O"]
answer = ask(BestMoveRequest(board=board, player=Player.X))
assert isinstance(answer, ExactAnswer)
assert (answer.move, answer.outcome, answer.score, answer.pv) == (4, Outcome.WIN, 9, [4])
assert told(answer) == "4 win in 1 for 9"
assert told(ask(BestMoveRequest(board="XXXOO...."))) == "won None"

searched = [
    ask(BestMoveRequest(game="connect-four-5x4", moves="542", limit=SearchLimit(nodes=4**power)))
    for power in range(10)
]
assert {type(answer) for answer in searched} == {ExactAnswer, ProvenAnswer, UnprovenAnswer}
assert "13 win True" in {told(answer) for answer in searched if isinstance(answer, ProvenAnswer)}
assert {told(answer)[-9:] for answer in searched if isinstance(answer, UnprovenAnswer)} == {"True True"}

got = get_best_move.sync(client=client, moves=[4, 0, 8])
assert isinstance(got, ExactAnswer)
assert got.position == "O...X...X"
rows: list[Cells | str] = ["O..", ".X.", "..X"]
numbers: list[Cells | str] = [[-1, 0, 0], [0, 1, 0], [0, 0, 1]]
for same in (
    BestMoveRequest(board=rows, player=PlayerInLowerCase.O),
    BestMoveRequest(board=numbers),
    BestMoveRequest(moves=["b2", 0, "c3"]),
    BestMoveRequest(moves="b2 a1 c3"),
):
    assert ask(same).position == "O...X...X"
assert ask(BestMoveRequest()).position == "........."
columns = ask(BestMoveRequest(game="connect-four-5x4", moves="332"))
assert isinstance(columns, ExactAnswer) and isinstance(columns.pv_columns, list)
assert (columns.column, columns.pv_columns[:3]) == (3, [3, 2, 1])
assert get_best_move.sync(client=client, game="connect-four-5x4", drops="332") == columns
problem = find_best_move.sync(client=client, body=BestMoveRequest(board="XXXX....."))
assert isinstance(problem, Problem) and isinstance(problem.errors, list)
assert problem.errors[0].code == "mark-count"

wild = find_best_move.sync(client=client, body=FamilyBestMoveRequest(game="wild-tic-tac-toe", moves=["X4", "O0"]))
assert isinstance(wild, WildAnswer) and wild.mark is not None
assert (wild.name, wild.pv[0]) == (f"{wild.mark.value}{wild.move}", wild.name)
fading = find_best_move.sync(client=client, body=FamilyBestMoveRequest(game=VanishingRules(family="vanishing")))
assert isinstance(fading, VanishingAnswer) and fading.repetition and fading.plies is None
assert get_best_move.sync(client=client, game="vanishing-tic-tac-toe") == fading
moved = get_best_move.sync(client=client, game="tapatan", moves=["0", "1", "3", "4", "8", "6"])
assert isinstance(moved, MorrisAnswer) and isinstance(moved.from_, int)
killed = get_best_move.sync(client=client, game="notakto-2", moves=["0.4"])
assert isinstance(killed, NotaktoAnswer) and isinstance(killed.board_number, int)

analysis = analyse.sync(client=client, body=BestMoveRequest(board="XX..O...."))
assert isinstance(analysis, ExactAnalysis)
assert analysis.moves[0].reasons[0].code == ReasonCode.BLOCKS
assert (analysis.moves[0].reasons[0].lines, analysis.threats.x) == ([[0, 1, 2]], [2])
assert get_analysis.sync(client=client, board="XX..O....") == analysis
over = analyse.sync(client=client, body=BestMoveRequest(board="XXXOO...."))
assert isinstance(over, FinishedAnalysis) and over.moves == []
large = GridRules(rows=8, columns=8, in_a_row=5)
deep = analyse.sync(client=client, body=BestMoveRequest(game=large, moves=[0, 1], limit=SearchLimit(nodes=100)))
assert isinstance(deep, UnprovenAnalysis)
assert all(-1 <= worth(move) <= 1 for move in deep.moves)

asked: list[BestMoveRequest | FamilyBestMoveRequest] = [
    BestMoveRequest(board="XX..O...."),
    BestMoveRequest(board="?"),
    FamilyBestMoveRequest(game="wild-tic-tac-toe"),
]
both = find_best_moves.sync(client=client, body=BestMovesRequest(positions=asked))
assert both is not None and not isinstance(both, Problem)
first, second, third = both.results
assert isinstance(first, ExactAnswer) and first.move == 2
assert isinstance(second, ProblemItem)
assert isinstance(third, WildAnswer)
reviewed = review.sync(client=client, body=ReviewRequest(moves=[0, 4, 8, 2, 6, 3, 7]))
assert isinstance(reviewed, ReviewAnswer)
paired = analyse.sync(client=client, body=FamilyBestMoveRequest(game="numerical-tic-tac-toe", moves="5@4"))
assert isinstance(paired, NumericalAnalysis) and paired.moves[0].mark is not None
assert paired.moves[0].name == paired.name
judged = review.sync(client=client, body=FamilyReviewRequest(game="tapatan", moves=["4", "0", "3"]))
assert isinstance(judged, FamilyReviewAnswer)
assert (judged.plies[2].verdict, judged.accuracy["O"]) == (Verdict.MISTAKE, 100)
assert (reviewed.turning_point, reviewed.plies[3].verdict) == (4, Verdict.MISTAKE)
assert reviewed.plies[3].gave_away == GaveAway.DRAW_LOSS
"""

PYTHON_WITHOUT_KINDS = """
from move_oracle_client import Client
from move_oracle_client.api.moves import find_best_move
from move_oracle_client.models import BestMoveRequest, Problem

answer = find_best_move.sync(client=Client("http://localhost"), body=BestMoveRequest())
assert answer is not None and not isinstance(answer, Problem)
plies: int = answer.plies
estimate: float = answer.estimate
"""

TYPESCRIPT_CALL = """
import type { components, paths } from "./contract";

type Request = components["schemas"]["BestMoveRequest"];
type FamilyRequest = components["schemas"]["FamilyBestMoveRequest"];
type AnyAnswer = paths["/best-move"]["post"]["responses"]["200"]["content"]["application/json"];
type Answer = Exclude<AnyAnswer, { family: string }>;
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

const wild: FamilyRequest = { game: "wild-tic-tac-toe", moves: ["X4", "O0"] };
const fading: FamilyRequest = { game: { family: "vanishing", remove: "after" }, moves: [4, 0] };
// @ts-expect-error a choice that the family does not have
const never: FamilyRequest = { game: { family: "vanishing", remove: "never" } };

/** The move of an answer about any game; each family has its own fields. */
function moved(answer: AnyAnswer): string {
  if (!("family" in answer)) return told(answer);
  switch (answer.family) {
    case "wild":
      return `writes ${answer.mark satisfies "X" | "O" | null} into ${answer.move}`;
    case "morris":
      return `moves ${answer.from} to ${answer.move}`;
    case "pop-out":
      return `${answer.pop ? "pops" : "drops"} ${answer.column}`;
    default:
      return `marks ${answer.move} as ${answer.player}`;
  }
}

/** What an answer tells; each kind has its own fields, and numbers where others have null. */
function told(answer: Answer): string {
  // @ts-expect-error not every kind of answer has a distance
  const anyPlies: number = answer.plies;
  // @ts-expect-error not every kind of answer has an estimate
  const anyEstimate: number = answer.estimate;
  if (answer.exact && answer.move !== null) {
    const [move, plies, score]: [number, number, number] = [answer.move, answer.plies, answer.score];
    return `${move} ${answer.outcome satisfies "win" | "draw" | "loss"} in ${plies} for ${score}`;
  }
  if (answer.exact) {
    const [move, plies]: [null, 0] = [answer.move, answer.plies];
    return `${answer.status satisfies "won" | "drawn"} ${move} ${plies}`;
  }
  const move: number = answer.move;
  if (answer.proven) {
    const more: number = answer.plies_at_most - answer.plies_at_least;
    return `${move} ${answer.outcome satisfies "win" | "draw" | "loss"} ${more > 0}`;
  }
  const [estimate, open]: [number, boolean] = [answer.estimate, answer.at_least !== answer.at_most];
  return `${move} ${answer.outcome satisfies "unknown"} ${open} ${Math.abs(estimate) <= 1}`;
}

/** The expected result of a move, proven or not. */
function worth(move: components["schemas"]["RankedMove"]): number {
  return move.proven ? { win: 1, draw: 0, loss: -1 }[move.outcome] : move.estimate;
}

/** What a line of a stream knows of the distance. */
function distance({ progress }: components["schemas"]["ProgressLine"]): [number, number] | null {
  if (progress.exact) return [progress.plies, progress.plies];
  return progress.proven ? [progress.plies_at_least, progress.plies_at_most] : null;
}

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
  const lines = stream.trim().split("\\n").map((line) => JSON.parse(line) as Line);
  const moves = lines.flatMap(ranked);
  const values = lines.flatMap((line) =>
    "result" in line && !("family" in line.result) ? line.result.moves.map(worth) : [],
  );
  const distances = lines.flatMap((line) => ("progress" in line ? [distance(line)] : []));
  if (distances.some((found) => found !== null && found[0] > found[1])) throw new Error("bounds cross");
  const bodies: Request[] = [request, { board: "XXXOO...." }];
  const game = { game: "connect-four-5x4", moves: "542" } as const;
  for (let nodes = 1; nodes < 1e6; nodes *= 4) bodies.push({ ...game, limit: { nodes } });
  const kinds = new Set<string>();
  for (const body of bodies) kinds.add(told((await (await post("/best-move", body)).json()) as Answer));
  const families: string[] = [];
  for (const body of [wild, fading]) families.push(moved((await (await post("/best-move", body)).json()) as AnyAnswer));
  const found = { move: answer.move, column, outcome, moves, values, verdict, families };
  console.log(JSON.stringify({ ...found, kinds: [...kinds] }));
}

main();
"""

# The types that the client has for its user are strict; the code that the generator adds to every client is not.
MYPY = [sys.executable, "-m", "mypy", "--strict", "--follow-imports=silent", "--config-file="]

NPM_PACKAGES = ["openapi-typescript@7.13.0", "typescript@5.9.3", "@types/node@20.19.25"]


def execute(*command: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    """A command that has ended, with what it printed on either stream."""
    return subprocess.run(
        command, cwd=cwd, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=SECONDS, check=False
    )


def run(*command: str, cwd: Path) -> str:
    """What a command printed, on either stream; fails the test if the command fails."""
    done = execute(*command, cwd=cwd)
    assert done.returncode == 0, done.stdout
    return done.stdout


@pytest.fixture(scope="module")
def python_client(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder with the package of the generated client."""
    folder = tmp_path_factory.mktemp("python")
    target = str(folder / "move_oracle_client")
    generator = str(Path(sys.executable).with_name("openapi-python-client"))
    said = run(generator, "generate", "--path", CONTRACT, "--meta", "none", "--output-path", target, cwd=folder)
    # The generator has no notion of answers that are YAML, images or JSON lines; it leaves out these and nothing else.
    left_out = ("GET /openapi.yaml", "GET /position.png", "GET /position.svg", "POST /position.svg", "POST /proof")
    assert [said.count(f"WARNING parsing {operation}") for operation in left_out] == [1, 1, 1, 1, 1]
    assert said.count("WARNING") == len(left_out)
    return folder


def test_a_class_of_the_python_client_has_a_name_of_the_contract(python_client: Path) -> None:
    # The generator would make one up for an object or a choice without a name.
    models = {path.stem for path in Path(python_client, "move_oracle_client/models").glob("*.py")} - {"__init__"}
    assert {name.replace("_", "") for name in models} <= {name.lower() for name in SCHEMAS}


def test_a_strictly_typed_program_makes_real_calls_with_the_python_client(python_client: Path, server: Server) -> None:
    (python_client / "call.py").write_text(PYTHON_CALL)
    run(*MYPY, "call.py", cwd=python_client)
    run(sys.executable, "call.py", server.url, cwd=python_client)


def test_the_python_client_has_no_distance_and_no_estimate_for_every_kind_of_answer(python_client: Path) -> None:
    (python_client / "wrong.py").write_text(PYTHON_WITHOUT_KINDS)
    done = execute(*MYPY, "wrong.py", cwd=python_client)
    assert done.returncode == 1, done.stdout
    assert 'has type "int | None"' in done.stdout
    assert 'Item "ExactAnswer" of "' in done.stdout
    assert 'has no attribute "estimate"' in done.stdout


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
    told = json.loads(said)
    kinds = set(told.pop("kinds"))
    assert told == {
        "move": 4,
        "column": 3,
        "outcome": "win",
        "verdict": "mistake",
        "moves": [2, 5, 8],
        "values": [1, 0, -1],
        "families": ["writes O into 8", "marks 1 as X"],
    }
    assert {"4 win in 1 for 9", "won null 0", "13 win true"} <= kinds
    assert any(kind.endswith(" unknown true true") for kind in kinds)
