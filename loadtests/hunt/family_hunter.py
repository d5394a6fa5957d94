"""The hunt in games of families: random rules and positions, each asked in several ways."""

import json
from collections import Counter
from collections.abc import Iterator
from random import Random

from loadtests.hunt.family_games import LOOPS, Game, changed, draw_game, line_of, mirrored
from loadtests.hunt.family_judge import judge_analysis, judge_best_move, judge_review
from loadtests.hunt.family_rules import State
from loadtests.hunt.product import Json, Refused, Service

POSITIONS = 12
"""Positions of each game that are asked."""

ROUTES = ("best-move", "best-move", "analysis", "stream", "review")
LIMITS: tuple[Json | None, ...] = (None, {"nodes": 1}, {"nodes": 40}, {"nodes": 1000}, {"time_ms": 1}, {"time_ms": 50})

EXCHANGED = str.maketrans("XO", "OX")


class FamilyHunter:
    """Asks two instances of the service: one makes complete tables, the other searches where it can."""

    def __init__(self, dice: Random, counts: Counter[str]) -> None:
        self._dice = dice
        self._counts = counts
        self._tables = Service(TABLEBASES="none")
        self._searches = Service(TABLEBASES="none", MAX_POSITIONS="1")

    def round(self) -> Iterator[str]:
        """Yield what is wrong about the answers to positions of one game."""
        dice = self._dice
        game = draw_game(dice)
        searched = game.family not in LOOPS and (bool(game.opening) or dice.random() < 0.5)
        service = self._searches if searched else self._tables
        self._counts["games of families"] += 1
        states = dice.choices(game.states, k=POSITIONS)
        yield from self._ask_batch(service, game, states)
        for state in states:
            yield from self._ask(service, game, state)
        yield from self._ask_by_moves(service, game)
        yield from self._ask_image(service, game, states[0])
        if not game.opening and not searched:
            yield from self._ask_impossible(service, game)

    def _ask(self, service: Service, game: Game, state: State) -> Iterator[str]:
        route = self._dice.choice(ROUTES)
        limit = self._dice.choice(LIMITS)
        request = _with_limit(_question(game, state), limit)
        self._counts["answers about families judged"] += 1
        try:
            if route == "review":
                request, wrong = self._review(service, game, limit)
            elif route == "best-move":
                wrong = judge_best_move(game, state, service.ask("/best-move", request))
            else:
                answer = service.stream(request) if route == "stream" else service.ask("/analysis", request)
                wrong = judge_analysis(game, state, answer)
        except Refused as refusal:
            wrong = iter([str(refusal)])
        yield from (f"/{route} {json.dumps(request)}: {what}" for what in wrong)

    def _review(self, service: Service, game: Game, limit: Json | None) -> tuple[Json, Iterator[str]]:
        played = [*line_of(game, self._dice, 20)]
        moves = [*game.opening, *(move for _, move in played)]
        request = _with_limit({"game": game.request, "moves": moves}, limit)
        return request, judge_review(game, played, service.ask("/review", request)) if moves else iter(())

    def _ask_by_moves(self, service: Service, game: Game) -> Iterator[str]:
        """Ask about the end of random play, told by its moves."""
        played = [*line_of(game, self._dice, 20)]
        state, move = played[-1] if played else (game.states[0], None)
        state = state if move is None else game.graph[state][move]
        moves = [*game.opening, *(move for _, move in played)]
        request = _with_limit({"game": game.request, "moves": moves}, self._dice.choice(LIMITS))
        try:
            wrong = judge_best_move(game, state, service.ask("/best-move", request))
        except Refused as refusal:
            wrong = iter([str(refusal)])
        yield from (f"/best-move {json.dumps(request)}: {what}" for what in wrong)

    def _ask_image(self, service: Service, game: Game, state: State) -> Iterator[str]:
        """Ask about a position and its mirror image: where both are proven, they are worth the same."""
        image = mirrored(game, game.rules.text(state))
        if image is None:
            return
        self._counts["images compared"] += 1
        request = _with_limit(_question(game, state), self._dice.choice(LIMITS))
        try:
            one, other = (service.ask("/best-move", asked) for asked in (request, {**request, "board": image}))
        except Refused as refusal:
            yield f"/best-move {json.dumps(request)} or its image {image}: {refusal}"
            return
        for what in ("proven", "exact"):
            names = ("outcome",) if what == "proven" else ("plies", "score", "repetition", "status", "winner")
            if one[what] and other[what] and [one[name] for name in names] != [other[name] for name in names]:
                yield f"/best-move {json.dumps(request)}: its image {image} has another value"

    def _ask_batch(self, service: Service, game: Game, states: list[State]) -> Iterator[str]:
        request = {"positions": [_question(game, state) for state in states], "limit": {"time_ms": 1000}}
        try:
            results = service.ask("/best-moves", request)["results"]
        except Refused as refusal:
            yield f"/best-moves {json.dumps(request)}: {refusal}"
            return
        for state, asked, answer in zip(states, request["positions"], results, strict=True):
            wrong = [json.dumps(answer)] if "problem" in answer else judge_best_move(game, state, answer)
            yield from (f"/best-moves {json.dumps(asked)}: {what}" for what in wrong)

    def _ask_impossible(self, service: Service, game: Game) -> Iterator[str]:
        """Ask about boards that differ from possible ones in a sign or two: play must lead to those answered.

        Once all pieces of morris are placed, it is enough that play leads to the board with its colours exchanged.
        """
        for state in self._dice.choices(game.states, k=POSITIONS):
            board, player = changed(self._dice, game.rules.text(state)), game.player(state)
            request = {"game": game.request, "board": board, "player": player}
            self._counts["changed boards"] += 1
            possible = (board, player) in game.boards
            try:
                answered = service.ask("/best-move", request)
            except Refused as refusal:
                if possible or not str(refusal).startswith("422"):
                    yield f"/best-move {json.dumps(request)}: {refusal}"
                continue
            found = {(answered["position"], answered["player"])}
            if game.family == "morris":
                found |= {(board.translate(EXCHANGED), player.translate(EXCHANGED)) for board, player in found}
            if not found & game.boards:
                yield f"/best-move {json.dumps(request)}: answered, but no play leads there"


def _question(game: Game, state: State) -> Json:
    return {"game": game.request, "board": game.rules.text(state), "player": game.player(state)}


def _with_limit(request: Json, limit: Json | None) -> Json:
    return request if limit is None else {**request, "limit": limit}
