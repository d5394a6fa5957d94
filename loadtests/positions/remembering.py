"""Plain minimax with a memory, so that many positions of a game can be solved in one run."""

from dataclasses import dataclass, field
from itertools import islice

from service.kernel.alpha_beta.reference import Reference, Verdict

CAPACITY = 50_000
"""The most verdicts that are kept of one game: about 30 MB on 25 cells."""


@dataclass(frozen=True)
class Remembering(Reference):
    """The reference with a cache of ``capacity`` verdicts."""

    capacity: int = CAPACITY
    memory: dict[tuple[bool | None, ...], Verdict] = field(default_factory=dict, compare=False, repr=False)

    def solve(self, board: list[bool | None]) -> Verdict:
        """Return the verdict on a board."""
        key = tuple(board)
        if key not in self.memory:
            verdict = super().solve(board)
            self._make_room()
            self.memory[key] = verdict
        return self.memory[key]

    def _make_room(self) -> None:
        """Forget the older half of a full memory."""
        if len(self.memory) >= self.capacity:
            for key in [*islice(self.memory, (self.capacity + 1) // 2)]:
                del self.memory[key]
