"""The rules as data. Imports nothing else of the service.

``game`` defines a game of cells and lines, ``catalogue`` lists the games with a name, and ``inline`` makes those that
a request describes. ``position`` is a legal position; ``setup`` is a board as it was given, with all that is wrong with
it.
"""
