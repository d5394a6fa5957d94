"""Pictures in requests and answers: the options of the look, and the picture of a position and its best move."""

from collections.abc import Sequence
from typing import Annotated, Literal

from pydantic import BeforeValidator, Field
from typing_extensions import TypeAliasType

from service.api.read.record import read_record
from service.api.wire.contract import Request, about, example, whole
from service.api.wire.requests import BestMoveQuery, BestMoveRequest
from service.engine.oracle import BestMove
from service.games.position import Position
from service.picture.colours import Theme as AnyTheme
from service.picture.picture import DEFAULT_SIZE, Picture

Shown = TypeAliasType(
    "Shown",
    Annotated[
        Literal["best", "evaluation"],
        about(
            "What a picture shows in addition to the position. `best` is the best move. `evaluation` is a bar with the "
            "share of X on the left: solid as far as it is proven, hatched where it is estimated.",
            example="best",
        ),
    ],
)

Theme = TypeAliasType(
    "Theme",
    Annotated[
        AnyTheme,
        about(
            "The colours of the picture. `auto`, the default, follows the colour scheme of the viewer; programs "
            "without one show the light colours.",
            example="dark",
        ),
    ],
)

DRAWN = {"moves": [4, 0, 8], "show": ["best", "evaluation"]}

Pixels = Annotated[int, Field(ge=64, le=2048), BeforeValidator(whole)]


class Look(Request):
    """The options of all pictures. Nothing that gives a solution away is shown by default."""

    theme: Annotated[Theme | None, about("The colours of the picture; `auto` by default.", example="dark")] = None
    show: Annotated[
        Annotated[list[Shown], Field(max_length=2)] | None,
        about("What to show in addition to the position; nothing by default.", example=["best", "evaluation"]),
    ] = None


class SizedLook(Look):
    """The options of pictures with a selectable size."""

    size: Annotated[Pixels | None, about("The longer side of the picture, in pixels; 480 by default.", example=240)] = (
        None
    )


class PictureRequest(BestMoveRequest, SizedLook):
    """A position, how to search it, and how to draw it. A null field counts as missing."""

    model_config = example(DRAWN)


SVGDocument = TypeAliasType(
    "SVGDocument",
    Annotated[str, about("An SVG document.", example='<svg xmlns="http://www.w3.org/2000/svg" role="img"></svg>')],
)


class PictureQuery(BestMoveQuery, SizedLook):
    """The query of ``GET /position.svg`` and ``GET /position.png``."""


class CardQuery(BestMoveQuery, Look):
    """The query of the card of a link to the page."""


DrawnRequest = PictureRequest | PictureQuery | CardQuery


def picture_of(wanted: DrawnRequest, position: Position, best: BestMove | None) -> Picture:
    """Return the picture that a request asks for; without an answer, the position alone."""
    shown: Sequence[Shown] = wanted.show or ()
    return Picture(
        position,
        last_move=_last_move(wanted, position),
        best_move=best.move if best and "best" in shown else None,
        known=best.known if best and "evaluation" in shown else None,
        theme=wanted.theme or "auto",
        size=getattr(wanted, "size", None) or DEFAULT_SIZE,
    )


def _last_move(wanted: DrawnRequest, position: Position) -> int | None:
    """Return the newest move, if the request has moves."""
    way = next((name for name in ("moves", "drops") if getattr(wanted, name, None)), None)
    if way is None:
        return None
    played, _ = read_record(Position(position.game), getattr(wanted, way), way)
    return played[-1]
