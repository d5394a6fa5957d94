"""``python -m hunt``: hunts for a time and prints what it found; exits with 3 if that is anything."""

import sys
from argparse import ArgumentParser, Namespace
from random import SystemRandom

from hunt.hunter import hunt
from hunt.weak_key import hunt_with_weak_key


def main() -> int:
    """Hunt; the exit code."""
    options = _options()
    if options.weak_key:
        return hunt_with_weak_key(options.seconds, options.seed)
    return hunt(options.seconds, options.seed, limits=not options.no_limits)


def _options() -> Namespace:
    parser = ArgumentParser("hunt", description="Random positions of every kind, judged by a brute force of its own.")
    parser.add_argument("--seconds", type=int, default=600, help="how long to hunt, default: 600")
    parser.add_argument("--seed", type=int, default=SystemRandom().getrandbits(32), help="repeats a hunt")
    parser.add_argument("--no-limits", action="store_true", help="measure no time limits")
    parser.add_argument(
        "--weak-key",
        action="store_true",
        help="hunt in a copy whose positions share keys as in version 0.1.0, and fail if nothing is found",
    )
    return parser.parse_args()


if __name__ == "__main__":
    sys.exit(main())
