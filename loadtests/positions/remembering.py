"""Plain minimax with a memory, so that many positions of a game can be solved in one run."""

from dataclasses import dataclass, field

from service.kernel.reference import Reference, Verdict


@dataclass(frozen=True)
class Remembering(Reference):
    """The reference with a cache of verdicts."""

    memory: dict[tuple[bool | None, ...], Verdict] = field(default_factory=dict, compare=False, repr=False)

    def solve(self, board: list[bool | None]) -> Verdict:
        """Return the verdict on a board."""
        key = tuple(board)
        if key not in self.memory:
            self.memory[key] = super().solve(board)
        return self.memory[key]
