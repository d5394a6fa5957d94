"""A game's rules laid out for the search: flat arrays of integers, made once and shared by all searches.

Lines that are translations of each other make one *pattern*: the offsets of its cells from the first
one, and the mask of all cells where such a line begins. A rectangular board with k in a row has four,
whatever its size, so that one shift and one AND test a cell of every line of a direction at once.
Lines written by hand fall into patterns too, in the worst case one each.
"""

from array import array
from collections.abc import Sequence
from dataclasses import dataclass, replace
from hashlib import blake2b

MAX_LINE = 64
"""The longest possible line; a pattern occupies so many places in ``offsets``."""


@dataclass(frozen=True)
class Rules:
    """What the search knows of a game.

    ``drop`` is the distance from a cell to the one that must be filled before it, 0 without gravity; ``floor`` are
    the cells of which none must, and ``stacks`` the masks of the cells that stand on each other, from left to right.
    ``follower`` are every second cell of these, from the top: those of who always answers in the same stack.
    ``salt`` and ``pepper`` keep positions of different games apart in a table that they share.
    ``images`` holds, for each symmetry but the identity, a table of 256 masks for each byte of a mask:
    where its cells go. Together they take ``stride`` places.
    """

    cells: int
    misere: bool
    drop: int
    floor: int
    stacks: "array[int]"
    follower: int
    patterns: int
    lengths: "array[int]"
    offsets: "array[int]"
    starts: "array[int]"
    weights: "array[int]"
    symmetries: int
    images: "array[int]"
    stride: int
    salt: int
    pepper: int = 0

    def seasoned(self, secret: bytes) -> "Rules":
        """The same rules for a table that strangers fill too.

        Who knows how keys are made could choose lines and marks such that a position of theirs is taken
        for one of another game. They cannot where salt and pepper come from a secret.
        """
        digest = blake2b(self.salt.to_bytes(8), digest_size=16, key=secret).digest()
        return replace(self, salt=int.from_bytes(digest[:8]), pepper=int.from_bytes(digest[8:]))


def make_rules(
    cells: int,
    lines: Sequence[Sequence[int]],
    *,
    drop: int = 0,
    misere: bool = False,
    symmetries: Sequence[Sequence[int]] = (),
) -> Rules:
    """The rules for boards of ``cells`` cells on which the ``lines``, each ascending cells, decide.

    ``symmetries`` are permutations of the cells that keep lines and gravity; the identity may be among them.
    """
    patterns: dict[tuple[int, ...], int] = {}
    for line in sorted({tuple(line) for line in lines}):
        offsets = tuple(cell - line[0] for cell in line)
        patterns[offsets] = patterns.get(offsets, 0) | 1 << line[0]
    identity = tuple(range(cells))
    turns = [tuple(symmetry) for symmetry in symmetries if tuple(symmetry) != identity]
    full = (1 << cells) - 1
    if drop >= cells:  # a single row: every cell is at the bottom, and C knows no shift by a whole word
        drop = 0
    return Rules(
        cells=cells,
        misere=misere,
        drop=drop,
        floor=full & ~(full >> drop) if drop else full,
        stacks=array("Q", [sum(1 << cell for cell in range(top, cells, drop)) for top in range(drop)] or [0]),
        follower=sum(1 << cell for cell in range(cells) if drop and cell // drop % 2 == 0),
        patterns=len(patterns),
        lengths=array("i", [len(offsets) for offsets in patterns]),
        offsets=array("i", [offset for offsets in patterns for offset in _padded(offsets)]),
        starts=array("Q", patterns.values()),
        weights=array("i", [sum(cell in line for line in lines) for cell in range(cells)]),
        symmetries=len(turns),
        images=array("Q", [image for turn in turns for image in _images(turn)]),
        stride=256 * len(range(0, cells, 8)),
        salt=_salt(cells, patterns, drop, misere=misere),
    )


def _padded(offsets: tuple[int, ...]) -> list[int]:
    return [*offsets, *[0] * (MAX_LINE - len(offsets))]


def _images(turn: tuple[int, ...]) -> list[int]:
    """The table of one symmetry: 256 masks for each byte of a mask, each made from one with a bit less."""
    targets = [1 << cell for cell in turn] + [0] * 7
    table = []
    for byte in range(0, len(turn), 8):
        images = [0] * 256
        for value in range(1, 256):
            low = value & -value
            images[value] = images[value ^ low] | targets[byte + low.bit_length() - 1]
        table += images
    return table


def _salt(cells: int, patterns: dict[tuple[int, ...], int], drop: int, *, misere: bool) -> int:
    text = repr((cells, sorted(patterns.items()), drop, misere)).encode()
    return int.from_bytes(blake2b(text, digest_size=8).digest())
