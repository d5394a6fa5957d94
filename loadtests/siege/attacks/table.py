"""Every attack by its name."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from loadtests.siege.attacks import batches, connections, floods, hosts, pipelining, poisoning
from loadtests.siege.attacks.target import Target


@dataclass(frozen=True, slots=True)
class Attack:
    """What is done to the server until the time of its target is over.

    ``settings`` replace those of the manifest. ``files`` is the most files that a worker may open.
    """

    run: Callable[[Target], Awaitable[None]]
    settings: Mapping[str, str] = field(default_factory=dict)
    files: int | None = None

    @property
    def line(self) -> str:
        """What the attack does, in a sentence."""
        return (self.run.__doc__ or "").split("\n", 1)[0]


ATTACKS: Mapping[str, Attack] = MappingProxyType(
    {
        "pipeline": Attack(pipelining.one),
        "pipeline-40": Attack(pipelining.many),
        "repeated-headers": Attack(poisoning.repeated_headers),
        "hosts": Attack(hosts.foreign_hosts),
        "puzzles": Attack(floods.puzzles),
        "own-rules": Attack(batches.own_rules),
        "own-rules-left": Attack(batches.own_rules_left),
        "families": Attack(batches.families),
        "unread-batches": Attack(batches.unread),
        "unread-pages": Attack(connections.unread_pages),
        "unread-streams": Attack(connections.streams),
        "equal": Attack(floods.equal),
        "equal-mcp": Attack(floods.equal_tools),
        "own-games": Attack(floods.own_games),
        "mixed": Attack(floods.mixed),
        "slashes": Attack(floods.slashes),
        "resources": Attack(floods.resources),
        "pictures": Attack(floods.pictures),
        "silent": Attack(connections.silent, files=200),
        "large-families": Attack(batches.large_families, {"MAX_POSITIONS": "20000000"}),
    }
)
"""The attacks in their order; those with settings of their own, which need another server, are last."""
