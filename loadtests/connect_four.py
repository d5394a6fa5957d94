"""Connect Four: whether the search is right, by a judge, by itself and by what is known, and what it costs.

``python loadtests/connect_four.py`` prints a table for each part; ``--help`` lists what can be changed.
Ends with a message and the exit code 1 as soon as an answer is wrong. Sizes are rows x columns.
"""

from argparse import ArgumentParser, Namespace

import latency
import middle_games
import openings
import self_play
import sizes
import verdicts
from solver import require_compiled
from tables import show_machine

PARTS = {
    "judge": verdicts.show,
    "self-play": self_play.show,
    "openings": openings.show,
    "sizes": sizes.show,
    "peer": middle_games.show,
    "http": latency.show,
}
"""What a run shows, by the names that ``--only`` takes."""


def main() -> None:
    """Prints the parts that were asked for."""
    options = _options()
    require_compiled()
    show_machine()
    for part in options.only:
        PARTS[part](options)


def _options() -> Namespace:
    parser = ArgumentParser(description="Benchmarks of Connect Four; every answer is checked.")
    add = parser.add_argument
    add("--only", nargs="+", choices=PARTS, default=list(PARTS), help="parts to run, default: all")
    add("--positions", type=int, default=3000, help="random positions for judge and http, default: 3000")
    add("--plies", type=int, default=0, help="the fewest plies of those, default: 0; fewer take longer")
    add("--games", type=int, default=100, help="games of self-play, default: 100")
    add("--cases", type=int, default=30, help="middle games beside another solver, default: 30")
    add("--rounds", type=int, default=3, help="rounds of the parts that compare times, default: 3")
    add("--limit", type=float, default=600, help="seconds for each size, default: 600")
    add("--table-mb", type=int, default=64, help="the table of each search of sizes, default: 64")
    add("--seed", type=int, default=1, help="of all that is random, default: 1")
    add("--long", action="store_true", help="also the empty boards and sizes that take many seconds")
    return parser.parse_args()


if __name__ == "__main__":
    main()
