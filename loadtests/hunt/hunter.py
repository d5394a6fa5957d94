"""The hunt itself: random positions of random games, each asked in several ways."""

import json
from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial
from itertools import cycle
from random import Random
from typing import Any

from examples.check_family_proof import State
from loadtests.hunt.certificates import judge_certificate
from loadtests.hunt.games import LOOPS, Game, changed, draw_game, draw_line_game, line_of, mirrored
from loadtests.hunt.judge import contradictions, judge_analysis, judge_best_move, judge_review
from loadtests.hunt.lines import LINE_GAMES, draw_board
from loadtests.hunt.product import JSON, STREAM, Json, Refused, Service

KINDS = ("lines", "families")
"""What the rounds ask about by turns."""

POSITIONS = 12
"""Positions of each game that are asked."""

RENEWED = 40
"""The rounds after which another instance of the service is made anew."""

ROUTES = ("best-move", "best-move", "analysis", "stream", "review")
LIMITS: tuple[Json | None, ...] = (None, {"nodes": 1}, {"nodes": 40}, {"nodes": 1000}, {"time_ms": 1}, {"time_ms": 50})
OPEN_LIMITS: tuple[Json, ...] = ({"nodes": 20_000}, {"time_ms": 20}, {"time_ms": 60}, {"nodes": 2000})
CERTIFIED: Json = {"nodes": 1_000_000}

EXCHANGED = str.maketrans("XO", "OX")


class Hunter:
    """Asks instances of the service: one keeps all that it was ever asked about lines, another is made anew often.

    Of families one makes complete tables, and the other searches where it can.
    """

    def __init__(self, dice: Random) -> None:
        self.counts: Counter[str] = Counter()
        self._dice = dice
        self.warm, self._other = Service(), Service()
        self._tables = Service(TABLEBASES="none")
        self._searches = Service(TABLEBASES="none", MAX_POSITIONS="1")
        self._line_games = cycle(LINE_GAMES)

    @property
    def positions(self) -> int:
        """The late positions of games of lines that were asked."""
        return sum(self.counts[kind] for kind in LINE_GAMES)

    def round(self, kind: str) -> Iterator[str]:
        """Yield what is wrong about the answers to positions of one game."""
        self.counts["games"] += 1
        yield from self._lines() if kind == "lines" else self._family()

    def _lines(self) -> Iterator[str]:
        if self.counts["games"] % RENEWED == 0:
            self._other = Service()
        game, before = draw_line_game(self._dice, next(self._line_games)), self.warm.contradictions()
        states = [*game.roots, *self._dice.choices(game.states, k=max(0, POSITIONS - len(game.roots)))]
        self.counts[game.family] += len(states)
        yield from self._ask_all(self.warm, game, states)
        yield from self._certify(self.warm, game, states[0])
        yield from self._ask_both(game, states[0])
        if self._dice.random() < 0.1:
            yield from self._compare(game)
        if self.warm.contradictions() > before:
            yield f"contradictory bounds were met about {json.dumps(game.request)}"

    def _family(self) -> Iterator[str]:
        game = draw_game(self._dice)
        searched = game.family not in LOOPS and (bool(game.opening) or self._dice.random() < 0.5)
        service = self._searches if searched else self._tables
        self.counts[game.family] += POSITIONS
        states = self._dice.choices(game.states, k=POSITIONS)
        yield from self._ask_all(service, game, states)
        yield from self._certify(service, game, states[0])
        if not game.opening and not searched:
            yield from self._ask_impossible(service, game)

    def _ask_all(self, service: Service, game: Game, states: list[State]) -> Iterator[str]:
        yield from self._ask_batch(service, game, states)
        for state in states:
            yield from self._ask(service, game, state)
        yield from self._ask_by_moves(service, game)
        yield from self._ask_image(service, game, states[0])

    def _ask(self, service: Service, game: Game, state: State) -> Iterator[str]:
        route, request = self._dice.choice(ROUTES), self._limited(_question(game, state))
        if route == "review":
            request, played = self._record(game)
            request |= {"first_player": game.rules.players[0]} if game.is_of_lines else {}
            if request["moves"]:
                yield from _judged(service, "/review", request, partial(judge_review, game, played))
        elif route == "best-move":
            yield from _judged(service, "/best-move", request, partial(judge_best_move, game, state))
        else:
            accept = STREAM if route == "stream" else JSON
            yield from _judged(service, "/analysis", request, partial(judge_analysis, game, state), accept)

    def _record(self, game: Game) -> tuple[Json, list[tuple[State, str]]]:
        """Return a question about a record of random play, and the states and moves after the opening."""
        played = [*line_of(game, self._dice, 20)]
        moves = [game.rules.record(move) for move in (*game.opening, *(move for _, move in played))]
        return self._limited({"game": game.request, "moves": moves}), played

    def _ask_by_moves(self, service: Service, game: Game) -> Iterator[str]:
        """Ask about the end of random play, told by its moves."""
        request, played = self._record(game)
        state = game.graph[played[-1][0]][played[-1][1]] if played else game.states[0]
        request |= {"player": game.player(state)} if game.is_of_lines else {}
        yield from _judged(service, "/best-move", request, partial(judge_best_move, game, state))

    def _ask_image(self, service: Service, game: Game, state: State) -> Iterator[str]:
        """Ask about a position and its mirror image: where both are proven, they are worth the same."""
        image = mirrored(game, game.rules.text(state))
        if image is None:
            return
        self.counts["images compared"] += 1
        request = self._limited(_question(game, state))

        def judge(one: Json) -> Iterator[str]:
            other = service.ask("/best-move", {**request, "board": image})
            for what, names in (("proven", ["outcome"]), ("exact", ["plies", "score", "status", "winner"])):
                if one[what] and other[what] and [one[name] for name in names] != [other[name] for name in names]:
                    yield f"its image {image} has another value"

        yield from _judged(service, "/best-move", request, judge)

    def _ask_batch(self, service: Service, game: Game, states: list[State]) -> Iterator[str]:
        request: Json = {"positions": [_question(game, state) for state in states], "limit": {"time_ms": 1000}}

        def judge(answer: Json) -> Iterator[str]:
            for state, asked, result in zip(states, request["positions"], answer["results"], strict=True):
                wrong = [json.dumps(result)] if "problem" in result else judge_best_move(game, state, result)
                yield from (f"{json.dumps(asked)}: {what}" for what in wrong)

        yield from _judged(service, "/best-moves", request, judge)

    def _ask_impossible(self, service: Service, game: Game) -> Iterator[str]:
        """Ask about boards that differ from possible ones in a sign or two: play must lead to those answered.

        With eight pieces on nine points and a closed centre, the last move alone does not tell: there it is enough that
        play leads to the board with its colours exchanged.
        """
        for state in self._dice.choices(game.states, k=POSITIONS):
            board, player = changed(self._dice, game.rules.text(state)), game.player(state)
            request = {"game": game.request, "board": board, "player": player}
            self.counts["changed boards"] += 1
            try:
                answered = service.ask("/best-move", request)
            except Refused as refusal:
                if (board, player) in game.boards or not str(refusal).startswith("422"):
                    yield f"/best-move {json.dumps(request)}: {refusal}"
                continue
            found = {(answered["position"], answered["player"])}
            if (game.parameters.get("marks"), game.parameters.get("centre")) == (4, "closed"):
                found |= {(board.translate(EXCHANGED), player.translate(EXCHANGED)) for board, player in found}
            if not found & game.boards:
                yield f"/best-move {json.dumps(request)}: answered, but no play leads there"

    def _certify(self, service: Service, game: Game, state: State) -> Iterator[str]:
        request = {**_question(game, state), "limit": CERTIFIED}
        text = service.certificate(request)
        self.counts["certificates"] += text is not None
        outcome = game.values[state][0]
        wrong = ["no certificate"] if text is None else judge_certificate(text, outcome, self._dice)
        yield from (f"/proof {json.dumps(request)}: {what}" for what in wrong)

    def _ask_both(self, game: Game, state: State) -> Iterator[str]:
        """Check that a node-limited answer is the same, byte for byte, whatever was asked before."""
        path = self._dice.choice(("/best-move", "/analysis"))
        request = {**_question(game, state), "limit": {"nodes": self._dice.choice((1, 50, 2000))}}
        if self.warm.body(path, request) != self._other.body(path, request):
            yield f"{path} {json.dumps(request)}: another answer from another instance"

    def _compare(self, game: Game) -> Iterator[str]:
        """Check, where the reference cannot tell, that answers from an empty and a shared table agree."""
        rules: Any = game.rules
        board, _ = draw_board(self._dice, rules, rules.cells // 2)
        question = {"game": game.request, "board": rules.text(board), "player": rules.players[board.turn]}
        answers = [self.warm.ask("/best-move", {**question, "limit": limit}) for limit in OPEN_LIMITS]
        self.counts["positions compared alone"] += 1
        yield from (f"/best-move {json.dumps(question)}: {what}" for what in contradictions(answers))

    def _limited(self, request: Json) -> Json:
        limit = self._dice.choice(LIMITS)
        return request if limit is None else {**request, "limit": limit}


def _question(game: Game, state: State) -> Json:
    return {"game": game.request, "board": game.rules.text(state), "player": game.player(state)}


def _judged(
    service: Service, path: str, request: Json, judge: Callable[[Json], Iterator[str]], accept: str = JSON
) -> Iterator[str]:
    """Ask, and yield what is wrong about the answer, with the request; a refusal is wrong."""
    try:
        answer = service.stream(request) if accept == STREAM else service.ask(path, request)
        yield from (f"{path} {json.dumps(request)}: {what}" for what in judge(answer))
    except Refused as refusal:
        yield f"{path} {json.dumps(request)}: {refusal}"
