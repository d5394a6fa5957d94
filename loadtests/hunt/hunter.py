"""The hunt itself: families of positions, each asked in many ways."""

import json
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import cycle
from pathlib import Path
from random import Random
from time import monotonic
from typing import Any

from loadtests.hunt.certificates import judge_certificate
from loadtests.hunt.family_hunter import FamilyHunter
from loadtests.hunt.games import Board, Game, by_hand, draw_board, draw_game, neighbours
from loadtests.hunt.judge import contradictions, judge_analysis, judge_best_move, judge_review
from loadtests.hunt.limits import late_answers
from loadtests.hunt.product import Refused, Service, on_command_line
from loadtests.hunt.reference import Reference, Values, best_of

FAMILY = 24
"""Positions of a family: one and its neighbours."""

NODES = (1, 10, 50, 200, 2000, 20_000)
TIMES = (1, 20, 60)
OPEN_TIMES = (20, 60)

ROUTES = ("best-move", "best-move", "best-move", "analysis", "stream", "review", "proof")
RENEWED, COMMAND_EACH = 40, 50
"""After so many families the second instance is made anew, the command line is asked."""

SOLVED_NODES = 100_000
"""What the reference spends on a position; those that take more are only compared, the first few of a family."""

MOST_COMPARED = 4

FOUND = 3
"""The exit code of a hunt that found something; a hunt that breaks down ends with another."""

ENOUGH = 5
"""Findings after which a hunt ends."""

Json = dict[str, Any]


KINDS = ("lines", "families")
"""What the rounds of a hunt ask about by turns: games of lines, and games of families."""


def hunt(seconds: float, seed: int, *, limits: bool = True, kinds: Sequence[str] = KINDS) -> int:
    """Hunt for so many seconds, print what was found, and return an exit code: FOUND if it was anything.

    ``limits``: whether time limits are measured too.
    """
    print(f"seed {seed}, {seconds} s", flush=True)
    end = monotonic() + seconds
    with tempfile.TemporaryDirectory() as folder:
        hunter = Hunter(Random(seed), Path(folder))
        family_hunter = FamilyHunter(Random(seed), hunter.counts)
        rounds = cycle({"lines": hunter.round, "families": family_hunter.round}[kind] for kind in kinds)
        findings = [*hunter.ask_the_worst()] if limits else []
        print(*findings, sep="\n", end="\n" if findings else "", flush=True)
        while monotonic() < end and len(findings) < ENOUGH:
            for finding in next(rounds)():
                findings.append(finding)
                print(finding, flush=True)
    counts = ", ".join(f"{count:,} {what}" for what, count in sorted(hunter.counts.items()))
    print(f"seed {seed}: {counts}; {len(findings)} findings")
    return FOUND if findings else 0


class Hunter:
    """Asks two instances of the service: one keeps all that it was ever asked, the other is made anew often."""

    def __init__(self, dice: Random, folder: Path) -> None:
        self.counts: Counter[str] = Counter()
        self._dice = dice
        self._reference = Reference(folder)
        self._warm = Service()
        self._other = Service()
        self._rounds = 0
        self._contradictions = 0

    def ask_the_worst(self) -> Iterator[str]:
        """Yield which limits were not kept."""
        return late_answers(self._warm, self._dice)

    def round(self) -> Iterator[str]:
        """Yield what is wrong about the answers to one family of positions."""
        self._rounds += 1
        if self._rounds % RENEWED == 0:
            self._other = Service()
        dice, game = self._dice, draw_game(self._dice)
        board = draw_board(dice, game, _empties(dice, game))
        family = [one for one in [board, *neighbours(dice, board, FAMILY)] if one.legal_moves()]
        dice.shuffle(family)
        self.counts["families of positions"] += 1
        yield from self._ask_batch(family)
        compared = 0
        for one in family:
            values = self._reference.values(one, SOLVED_NODES)
            compared += values is None
            if values is not None or compared <= MOST_COMPARED:
                yield from self._ask_about(one, values)
        if family and self._rounds % COMMAND_EACH == 0:
            yield from self._ask_command_line(family[0])
        contradictions, self._contradictions = self._contradictions, self._warm.contradictions()
        if self._contradictions > contradictions:
            yield f"contradictory bounds were met about {json.dumps(game.request)}"

    def _ask_about(self, board: Board, values: Values | None) -> Iterator[str]:
        """Ask the same by several routes and limits."""
        dice = self._dice
        self.counts["positions solved by the reference" if values else "positions compared alone"] += 1
        try:
            if values is None:
                yield from self._compare(board)
                return
            route = dice.choice(ROUTES)
            limit = {"time_ms": dice.choice(TIMES)} if dice.random() < 0.7 else {"nodes": dice.choice(NODES)}
            if dice.random() < 0.3:
                yield from self._ask_both(board)
            if not board.game.drop and dice.random() < 0.2:
                twin = Board(by_hand(board.game), board.mine, board.theirs, board.player)
                yield from self._ask(twin, values, "analysis", limit)
            yield from self._ask(board, values, route, limit)
        except Refused as refusal:
            yield f"{_request(board, {})}: {refusal}"

    def _ask(self, board: Board, values: Values, route: str, limit: Json) -> Iterator[str]:
        request = _request(board, limit)
        self.counts["answers judged"] += 1
        if route == "proof":
            yield from self._ask_proof(request, best_of(values).outcome)
        elif route == "review" and board.moves:
            yield from self._ask_review(board, limit)
        elif route == "analysis":
            wrong = judge_analysis(self._reference, board, values, self._warm.ask("/analysis", request))
            yield from _told(route, request, wrong)
        elif route == "stream":
            wrong = judge_analysis(self._reference, board, values, self._warm.stream(request))
            yield from _told(route, request, wrong)
        else:
            wrong = judge_best_move(self._reference, board, values, self._warm.ask("/best-move", request))
            yield from _told(route, request, wrong)

    def _ask_proof(self, request: Json, outcome: str) -> Iterator[str]:
        text = self._warm.certificate(request)
        if text is not None:
            self.counts["certificates checked"] += 1
            yield from _told("proof", request, judge_certificate(text, outcome, self._dice))

    def _ask_batch(self, family: Sequence[Board]) -> Iterator[str]:
        request = {"positions": [_request(board, None) for board in family], "limit": {"time_ms": 1000}}
        try:
            results = self._warm.ask("/best-moves", request)["results"] if family else []
        except Refused as refusal:
            yield f"/best-moves {json.dumps(request)}: {refusal}"
            return
        for board, result in zip(family, results, strict=True):
            values = self._reference.values(board, SOLVED_NODES)
            if values is not None:
                self.counts["answers judged"] += 1
                wrong = judge_best_move(self._reference, board, values, result)
                yield from _told("best-moves", _request(board, None), wrong)

    def _ask_review(self, board: Board, limit: Json) -> Iterator[str]:
        moves = board.moves or ()
        first = board.player if len(moves) % 2 == 0 else "XO"[board.player == "X"]
        boards = [Board(board.game, 0, 0, first, ())]
        for move in moves:
            boards.append(boards[-1].play(move))
        record = [move % board.game.drop if board.game.drop else move for move in moves]
        request = {"game": board.game.request, "moves": record, "first_player": first, "limit": limit}
        yield from _told(
            "review", request, judge_review(self._reference, boards[:-1], self._warm.ask("/review", request))
        )

    def _ask_both(self, board: Board) -> Iterator[str]:
        """Check that a node-limited answer is the same, byte for byte, whatever was asked before."""
        request, path = (
            _request(board, {"nodes": self._dice.choice(NODES)}),
            self._dice.choice(("/best-move", "/analysis")),
        )
        self.counts["answers compared by the byte"] += 1
        if self._warm.body(path, request) != self._other.body(path, request):
            yield f"{path} {json.dumps(request)}: another answer from another instance"

    def _compare(self, board: Board) -> Iterator[str]:
        """Where the reference cannot tell: an empty table and the shared one must not contradict each other."""
        limits: list[Json] = [{"nodes": 20_000}, *({"time_ms": time_ms} for time_ms in OPEN_TIMES), {"nodes": 2000}]
        answers = [self._warm.ask("/best-move", _request(board, limit)) for limit in limits]
        yield from _told("best-move", _request(board, {}), contradictions(answers))

    def _ask_command_line(self, board: Board) -> Iterator[str]:
        nodes, command = self._dice.choice(NODES), self._dice.choice(("best-move", "analysis"))
        self.counts["commands"] += 1
        try:
            printed = on_command_line(command, board, nodes)
            answered = self._warm.body(f"/{command}", _request(board, {"nodes": nodes}))
        except Refused as refusal:
            yield f"{command} {json.dumps(_request(board, {'nodes': nodes}))}: {refusal}"
            return
        if printed.strip() != answered.strip():
            yield f"{command} {json.dumps(_request(board, {'nodes': nodes}))}: the command line answers otherwise"


def _empties(dice: Random, game: Game) -> int:
    """How many cells to leave empty: so few that the reference can tell, but for one position in ten."""
    if dice.random() < 0.1:
        return game.cells // 2
    few = dice.randint(4, 8) if dice.random() < 0.8 else dice.randint(9, 10)
    return min(game.cells, few + 4 if game.drop else few)


def _request(board: Board, limit: Json | None) -> Json:
    request: Json = {"game": board.game.request, "board": board.text(), "player": board.player}
    return {**request, "limit": limit} if limit else request


def _told(route: str, request: Json, wrong: Iterator[str]) -> Iterator[str]:
    yield from (f"/{route} {json.dumps(request)}: {what}" for what in wrong)
