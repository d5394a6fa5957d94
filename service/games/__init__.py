"""The games: rules as data, and compiled where searches need them.

``game`` is what every game has; ``families`` has one file for each family, ``rules`` the compiled rules of the same
name. ``catalogue`` lists the games with an id, ``inline`` makes those that a request describes. ``position`` is a legal
position, ``setup`` a given board with all its faults. ``boards`` and ``notation`` are shared by families. Start reading
at ``game``. Nothing here knows HTTP, or searches.
"""
