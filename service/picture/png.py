"""PNG images of SVG documents.

The library that draws them holds the interpreter's lock all the while, 30 ms and more. In a process of its own it
keeps nothing waiting, and gives back what it takes of memory.
"""

import sys
from collections.abc import Callable, Sequence
from functools import cache, partial
from pathlib import Path
from subprocess import CompletedProcess, TimeoutExpired, run

from service.engine.cache.lru_cache import LRUCache
from service.engine.work.limit import never
from service.engine.work.slots import Overloaded, SearchSlots, reserve
from service.kernel.stopping import Poll
from service.picture.card import card
from service.picture.picture import Picture

PROGRAM = Path(__file__).with_name("raster.py")

FONTS = Path(__file__).with_name("fonts")
"""Inter 4.001 of the npm package ``@fontsource/inter`` 5.3.0: of two weights the letters that cards need.

Made by ``pyftsubset --no-hinting --layout-features=kern``, both with the family name Inter, which tells them by weight.
"""

CAPACITY = 128
"""Images that a worker keeps: of cards some 6 MB, at most 12."""

LARGEST_KEPT = 96 << 10
"""Bytes of the largest image that is kept: that of any card."""

WAIT_SECONDS, DRAW_SECONDS = 10.0, 30.0
"""How long a request waits for its turn, and how long drawing may take: on an idle machine it takes a tenth of one."""

RETRY_SECONDS = 1
"""After how long to ask again where too many images are drawn."""


Document = Callable[[Picture], bytes]
"""Returns the SVG document of a picture."""


class PictureImages:
    """Draws images in search ``slots``, or at once where there are none, and keeps those that were asked for last."""

    def __init__(self, slots: SearchSlots | None) -> None:
        self._slots = slots
        self._kept: LRUCache[tuple[Picture, Document], bytes] = LRUCache(CAPACITY)

    def image(self, picture: Picture, stop: Poll = never, document: Document = card) -> bytes:
        """Return the image of the card of a picture or another document, unless ``stop`` ends the wait for a slot.

        Raises Overloaded, before anything is done for it, where there is no room for more work.
        """
        kept = self._kept.get((picture, document))
        if kept is not None:
            return kept
        with reserve(self._slots) as slot:
            if slot is None:
                return self._drawn(picture, document)
            slot.acquire(RETRY_SECONDS, stop, WAIT_SECONDS)
            if not slot.is_granted:
                raise Overloaded(RETRY_SECONDS)
            return slot.run(partial(self._drawn, picture, document))

    def _drawn(self, picture: Picture, document: Document) -> bytes:
        """Return an image, which another request may have drawn while this one waited."""
        image = self._kept.get((picture, document)) or draw(document(picture))
        if len(image) <= LARGEST_KEPT:
            self._kept.keep((picture, document), image)
        return image


def draw(svg: bytes) -> bytes:
    """Draw an SVG document in a process of its own. Raises Overloaded where the machine has no room for that."""
    try:
        done = run(  # noqa: S603, nothing of the command comes from a request
            _command(), input=svg, capture_output=True, timeout=DRAW_SECONDS, check=False
        )
    except (OSError, TimeoutExpired):
        raise Overloaded(RETRY_SECONDS) from None
    return _image(done)


def _image(done: CompletedProcess[bytes]) -> bytes:
    """Return what the program has drawn; one that was killed found no memory."""
    if done.returncode < 0:
        raise Overloaded(RETRY_SECONDS)
    if done.returncode:
        raise RuntimeError(f"no image was drawn: {done.stderr.decode(errors='replace')}")
    return done.stdout


@cache
def _command() -> Sequence[str]:
    return (sys.executable, "-P", str(PROGRAM), *map(str, sorted(FONTS.glob("*.ttf"))))
