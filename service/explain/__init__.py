"""The meaning of results: names, reasons, ranking, reviews and puzzles, in English.

``names`` are those of cells, lines and moves; ``reason`` and ``reasons`` make the sentences about moves, ``outcomes``
those about ends of games. ``ranking`` orders moves, ``review`` judges games, ``puzzles`` finds positions with one
solution. Start reading at ``reasons``. It knows neither Flask nor pydantic.
"""
