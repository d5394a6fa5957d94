"""PNG images of SVG documents.

The renderer holds the interpreter's lock for 30 ms and more. In a process of its own it blocks no thread of the
service, and its memory is freed.
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
"""Inter 4.001 from the npm package ``@fontsource/inter`` 5.3.0, the glyphs for cards in two weights.

Made by ``pyftsubset --no-hinting --layout-features=kern``; both have the family name Inter and differ in weight.
"""

CAPACITY = 128
"""The maximum number of images in a worker: about 6 MB of cards, at most 12 MB."""

LARGEST_KEPT = 96 << 10
"""The maximum bytes of a cached image; every card fits."""

WAIT_SECONDS, DRAW_SECONDS = 10.0, 30.0
"""The maximum seconds in the queue, and for drawing, which takes 0.1 s on an idle machine."""

RETRY_SECONDS = 1
"""The ``Retry-After`` in seconds if too many images are being drawn."""


Document = Callable[[Picture], bytes]
"""Returns the SVG document of a picture."""


class PictureImages:
    """Draws images in search ``slots``, or at once without slots, and keeps the most recently used."""

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
                return self._draw(picture, document)
            slot.acquire(RETRY_SECONDS, stop, WAIT_SECONDS)
            if not slot.is_granted:
                raise Overloaded(RETRY_SECONDS)
            return slot.run(partial(self._draw, picture, document))

    def _draw(self, picture: Picture, document: Document) -> bytes:
        """Return an image, which another request may have drawn meanwhile."""
        image = self._kept.get((picture, document)) or draw(document(picture))
        if len(image) <= LARGEST_KEPT:
            self._kept.keep((picture, document), image)
        return image


def draw(svg: bytes) -> bytes:
    """Draw an SVG document in a process. Raises Overloaded if the machine has no room for it."""
    try:
        done = run(  # noqa: S603, no part of the command comes from a request
            _command(), input=svg, capture_output=True, timeout=DRAW_SECONDS, check=False
        )
    except (OSError, TimeoutExpired):
        raise Overloaded(RETRY_SECONDS) from None
    return _image(done)


def _image(done: CompletedProcess[bytes]) -> bytes:
    """Return the program's image; if the program was killed, it ran out of memory."""
    if done.returncode < 0:
        raise Overloaded(RETRY_SECONDS)
    if done.returncode:
        raise RuntimeError(f"no image was drawn: {done.stderr.decode(errors='replace')}")
    return done.stdout


@cache
def _command() -> Sequence[str]:
    return (sys.executable, "-P", str(PROGRAM), *map(str, sorted(FONTS.glob("*.ttf"))))
