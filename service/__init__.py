"""Move Oracle: the best move, its exact score and the line of best play, over HTTP."""

__version__ = "0.3.0"
