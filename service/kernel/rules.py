"""The rules of a game in the form that searches use: flat arrays of integers, made once and shared by all searches.

Lines that are translations of each other form one *pattern*: the offsets of the cells of a line from its first cell,
and the mask of all cells where such a line starts. A rectangular board of any size with k in a row has four patterns,
so one shift and one AND test a cell of every line of a direction at once. Lines written by hand form patterns too, at
worst one each. Patterns of the same length are in groups of ``LANES``, filled up by patterns without starts: compiled
searches take a group at once.
"""

from array import array
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from hashlib import blake2b
from itertools import chain, groupby, zip_longest

LANES = 4
"""The number of patterns that compiled searches take at once."""


@dataclass(frozen=True)
class Rules:
    """The rules of a game for the search.

    Under gravity, ``drop`` is the distance from a cell to the cell below, which must be filled first; without gravity
    it is 0. ``bottom_row`` is the mask of the cells that need no filled cell below. ``claimeven`` is the mask of every
    second cell of each column, from the top: a player who always answers in the same column gets these cells.

    ``lengths`` and ``starts`` have the length and the mask of starts of each pattern. ``offsets`` has the first offset
    of every pattern, then the second one of every pattern, and so on; zeros fill up the shorter ones. ``weights`` has
    the number of lines through each cell.

    ``digest`` identifies the rules. ``key_seeds``, two words for each number of marks, separate the positions of
    different games in a shared table.

    ``symmetries`` is the number of symmetries without the identity. ``images`` has, for each of them, a table of 256
    masks for each byte of a mask: the images of the cells of that byte. The tables of one symmetry take ``stride``
    places. ``inverses`` has the number of the inverse of each symmetry, or -1 if the inverse is not among them.
    ``automorphisms`` are permutations of the cells that keep the rules, one after the other; they include the
    symmetries.
    """

    cells: int
    misere: bool
    drop: int
    bottom_row: int
    claimeven: int
    lengths: "array[int]"
    offsets: "array[int]"
    starts: "array[int]"
    weights: "array[int]"
    symmetries: int
    images: "array[int]"
    stride: int
    inverses: "array[int]"
    automorphisms: "array[int]"
    digest: bytes
    key_seeds: "array[int]"

    @property
    def nbytes(self) -> int:
        """The bytes of the arrays, without ``key_seeds``."""
        arrays = (self.lengths, self.offsets, self.starts, self.weights, self.images, self.inverses, self.automorphisms)
        return sum(each.itemsize * len(each) for each in arrays)

    @property
    def steps(self) -> int:
        """The cells that one test of all lines looks at, one for each offset of a pattern that has lines."""
        return sum(length for length, starts in zip(self.lengths, self.starts, strict=True) if starts)

    def with_secret(self, secret: bytes) -> "Rules":
        """Return the rules with key seeds that depend on a secret, for a table that the games of all clients share.

        A client that knows the seeds could choose lines and marks such that a position of one game has the key of a
        position of another game. The secret has at most 64 bytes.
        """
        return replace(self, key_seeds=_key_seeds(self.digest, self.cells, secret))


def make_rules(
    cells: int,
    lines: Sequence[Sequence[int]],
    *,
    drop: int = 0,
    misere: bool = False,
    symmetries: Sequence[Sequence[int]] = (),
    automorphisms: Sequence[Sequence[int]] = (),
) -> Rules:
    """Make the rules of a game on ``cells`` cells that is decided by ``lines``: sequences of ascending cells.

    ``symmetries`` are permutations of the cells that keep lines and gravity; the identity may be among them.
    ``automorphisms`` are these and all further ones that are known; by default only the symmetries.
    """
    patterns = patterns_of(lines)
    grouped = _in_groups(patterns)
    weights = Counter(chain.from_iterable(lines))
    identity = tuple(range(cells))
    proper = [tuple(symmetry) for symmetry in symmetries if tuple(symmetry) != identity]
    full = (1 << cells) - 1
    digest = _digest(cells, patterns, drop, misere=misere)
    if drop >= cells:  # a single row: every cell is at the bottom, and C cannot shift by a whole word
        drop = 0
    return Rules(
        cells=cells,
        misere=misere,
        drop=drop,
        bottom_row=full & ~(full >> drop) if drop else full,
        claimeven=sum(1 << cell for cell in range(cells) if drop and cell // drop % 2 == 0),
        lengths=array("i", [len(offsets) for offsets, _ in grouped]),
        offsets=array("Q", chain.from_iterable(zip_longest(*(offsets for offsets, _ in grouped), fillvalue=0))),
        starts=array("Q", [starts for _, starts in grouped]),
        weights=array("i", [weights[cell] for cell in range(cells)]),
        symmetries=len(proper),
        images=array("Q", [image for symmetry in proper for image in _images(symmetry)]),
        stride=256 * len(range(0, cells, 8)),
        inverses=array("i", _inverses(proper)),
        automorphisms=array("i", chain.from_iterable(automorphisms or symmetries)),
        digest=digest,
        key_seeds=_key_seeds(digest, cells),
    )


def patterns_of(lines: Iterable[Sequence[int]]) -> dict[bytes, int]:
    """Return the mask of the starts of each pattern, by its offsets. Lines are sequences of ascending cells."""
    patterns: dict[bytes, int] = {}
    for line in sorted(set(map(tuple, lines))):
        offsets = bytes([cell - line[0] for cell in line])
        patterns[offsets] = patterns.get(offsets, 0) | 1 << line[0]
    return patterns


def _in_groups(patterns: Mapping[bytes, int]) -> list[tuple[bytes, int]]:
    """Return the offsets and the starts of the patterns in groups of one length, each filled up to whole ``LANES``."""
    grouped: list[tuple[bytes, int]] = []
    for length, group in groupby(sorted(patterns.items(), key=_length), key=_length):
        grouped += group
        grouped += [(bytes(length), 0)] * (-len(grouped) % LANES)
    return grouped


def _length(pattern: tuple[bytes, int]) -> int:
    return len(pattern[0])


def _images(symmetry: tuple[int, ...]) -> list[int]:
    """Return the tables of one symmetry: 256 masks for each byte, each built from that of a byte with a bit less."""
    targets = [1 << cell for cell in symmetry] + [0] * 7
    table = []
    for byte in range(0, len(symmetry), 8):
        images = [0] * 256
        for value in range(1, 256):
            low = value & -value
            images[value] = images[value ^ low] | targets[byte + low.bit_length() - 1]
        table += images
    return table


def _inverses(symmetries: Sequence[tuple[int, ...]]) -> list[int]:
    """Return the number of the inverse of each symmetry; -1 if the inverse is not among the symmetries."""
    numbers = {symmetry: number for number, symmetry in enumerate(symmetries)}
    undone = (tuple(sorted(range(len(symmetry)), key=symmetry.__getitem__)) for symmetry in symmetries)
    return [numbers.get(symmetry, -1) for symmetry in undone]


def _digest(cells: int, patterns: Mapping[bytes, int], drop: int, *, misere: bool) -> bytes:
    lines = b"".join(
        bytes([len(offsets)]) + offsets + starts.to_bytes(8) for offsets, starts in sorted(patterns.items())
    )
    return blake2b(bytes([cells, drop, misere]) + lines, digest_size=32).digest()


def _key_seeds(digest: bytes, cells: int, secret: bytes = b"") -> "array[int]":
    """Return two words of 64 bits for every number of marks from 0 to ``cells``."""
    seeds = (blake2b(digest + bytes([marks]), digest_size=16, key=secret).digest() for marks in range(cells + 1))
    return array("Q", b"".join(seeds))
