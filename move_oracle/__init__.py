"""The best move, its exact value and the line of best play, without a server.

The functions take the fields of requests of the HTTP API as arguments, with boards and moves in every notation of the
API, and return the same dictionaries. They raise Problem for faulty arguments. Ctrl-C ends a search. All of them share
one ``Oracle``; make another one to set a limit, or to close it.
"""

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from functools import cached_property
from threading import BoundedSemaphore
from typing import Literal, TypedDict, TypeVar, Unpack

from pydantic import BaseModel
from pydantic_core import from_json, to_jsonable_python

from service import __version__
from service.api.problems import Problem, ProblemDocument, overloaded
from service.api.read.question import read_claim, read_played, read_question
from service.api.read.reading import Reading, parse_item
from service.api.read.refusals import refusals
from service.api.wire.analysis_types import AnalysisAnswer
from service.api.wire.answer_types import BestMoveAnswer
from service.api.wire.requests import BestMoveRequest, ProofRequest, ReviewRequest, TieBreak
from service.api.wire.review_types import ReviewAnswer
from service.api.write.answers import analysis_answer, best_move_answer, review_answer
from service.api.write.certificates import CertificateLine, certificate_lines, no_certificate
from service.api.write.games import Catalogue, catalogue
from service.api.write.pictures import PictureRequest, Shown, Theme, picture_of
from service.cores import cores
from service.engine import oracle as engine
from service.engine.certificates.certificate import Certificate
from service.engine.work.slots import Overloaded
from service.explain.review import review as judged
from service.kernel.stopping import Poll
from service.oracles import open_oracle
from service.settings import Settings

__all__ = ["AnalysisAnswer", "BestMoveAnswer", "Board", "Catalogue", "CertificateLine", "Limit", "Moves", "Oracle"]
__all__ += ["Picture", "Problem", "ProblemDocument", "ReviewAnswer", "__version__"]
__all__ += ["analyse", "best_move", "games", "picture", "prove", "review"]

Answer = TypeVar("Answer")
Asked = TypeVar("Asked")
Model = TypeVar("Model", bound=BaseModel)

Cell = str | float | None
Board = str | Sequence[Cell | Sequence[Cell | Sequence[Cell]]]
"""A text, a list of cells, of rows, or of layers of rows."""

Moves = str | Sequence[int | str]


class Limit(TypedDict, total=False):
    """The limit of a search in milliseconds and in positions visited; the first one reached ends the search.

    With ``prove`` set to ``outcome``, a proven outcome ends it too.
    """

    time_ms: int
    nodes: int
    prove: Literal["outcome", "distance"]


class GameFields(TypedDict, total=False):
    """The game, by its id, its name or its rules, and the limit of the search."""

    game: str | Mapping[str, object] | None
    limit: Limit | None


class PositionFields(GameFields, total=False):
    """The moves that lead to the position, in place of a board, and the player to move."""

    moves: Moves | None
    player: str | None


class SearchFields(PositionFields, total=False):
    """How to choose among the moves."""

    tie_break: TieBreak | None
    seed: int | None
    skill: int | None


class PictureFields(SearchFields, total=False):
    """The additional contents of a picture, its colours, and its longer side in pixels."""

    show: Sequence[Shown] | None
    theme: Theme | None
    size: int | None


class Picture(str):
    """An SVG document, which notebooks display."""

    __slots__ = ()

    def _repr_svg_(self) -> str:
        return self


class Oracle(AbstractContextManager["Oracle"]):
    """Answers questions about positions. Threads can share it.

    ``limit`` is for calls without one, by default 5 s. At most ``threads`` calls work at once, by default one per core;
    others wait. The variables ``BOOKS``, ``TABLEBASES``, ``TABLE_MB`` and ``MAX_POSITIONS`` apply. Books and tables are
    opened by the first question.
    """

    def __init__(self, *, limit: Limit | None = None, threads: int | None = None) -> None:
        self._limit = limit
        self._places = BoundedSemaphore(cores() if threads is None else threads)
        self._is_closed = False

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Stop the searches of all threads, which return their proven results. Later calls raise ValueError."""
        self._is_closed = True
        self.__dict__.pop("_opened", None)

    def best_move(self, board: Board | None = None, **fields: Unpack[SearchFields]) -> BestMoveAnswer:
        """Return the best move of a position: the answer of ``POST /best-move``. Raises Problem."""
        with self._asked(read_question, BestMoveRequest, board=board, **fields) as (_, asked, oracle):
            return _plain(best_move_answer(asked.best_move(oracle)))

    def analyse(self, board: Board | None = None, **fields: Unpack[SearchFields]) -> AnalysisAnswer:
        """Return every legal move, best first: the answer of ``POST /analysis``. Raises Problem."""
        with self._asked(read_question, BestMoveRequest, board=board, **fields) as (_, asked, oracle):
            return _plain(analysis_answer(asked.analysis(oracle)))

    def review(self, moves: Moves, *, first_player: str | None = None, **fields: Unpack[GameFields]) -> ReviewAnswer:
        """Return a game judged move by move: the answer of ``POST /review``. Raises Problem."""
        given = {"moves": moves, "first_player": first_player, **fields}
        with self._asked(read_played, ReviewRequest, **given) as (_, played, oracle), refusals(played.start.game):
            return _plain(review_answer(judged(oracle, played.start, played.moves, played.limit)))

    def prove(self, board: Board | None = None, **fields: Unpack[PositionFields]) -> list[CertificateLine]:
        """Return the lines of the certificate of an outcome, which ``POST /proof`` sends. Raises Problem."""
        with self._asked(read_claim, ProofRequest, board=board, **fields) as (_, (position, limit), oracle):
            with refusals(position.game):
                found = oracle.certify(position, limit=limit).found
            if not isinstance(found, Certificate):
                raise no_certificate(found, position)
            return [from_json(line) for line in certificate_lines(found)]

    def picture(self, board: Board | None = None, **fields: Unpack[PictureFields]) -> Picture:
        """Return the picture of a position: the document of ``POST /position.svg``. Raises Problem."""
        with self._asked(read_question, PictureRequest, board=board, **fields) as (wanted, asked, oracle):
            best = asked.best_move(oracle) if wanted.show else None
            return Picture(picture_of(wanted, asked.position, best).svg().decode())

    @contextmanager
    def _asked(
        self, read: Callable[[Reading[Model], Settings, Poll], Asked], model: type[Model], **fields: object
    ) -> Iterator[tuple[Model, Asked, engine.Oracle]]:
        """Yield a request, its question, and the oracle, while the call holds its place."""
        given = {name: value for name, value in fields.items() if value is not None}
        with self._places:
            if self._is_closed:
                raise ValueError("The oracle is closed.")
            settings, oracle = self._opened
            reading = parse_item(model, _plain({"limit": self._limit, **given}))
            try:
                yield reading.wanted, read(reading, settings, lambda: self._is_closed), oracle
            except Overloaded as refusal:
                raise overloaded(refusal) from None

    @cached_property
    def _opened(self) -> tuple[Settings, engine.Oracle]:
        settings = Settings.from_environment(os.environ).for_one_user()
        return settings, open_oracle(settings)


def games(*, solved: bool = False) -> Catalogue:
    """Return the games and the families, with ``solved`` also the rules atlas: the answer of ``GET /games``."""
    return _plain(catalogue(solved=solved))


def _plain(value: Answer) -> Answer:
    """Return data in the types of JSON: arrays become lists, values of other types their text."""
    plain: Answer = to_jsonable_python(value, fallback=lambda other: getattr(other, "tolist", other.__repr__)())
    return plain


_oracle = Oracle()
best_move = _oracle.best_move
analyse = _oracle.analyse
review = _oracle.review
prove = _oracle.prove
picture = _oracle.picture
