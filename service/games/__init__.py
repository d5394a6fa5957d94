"""The rules as data, and in C where searches play by them.

``game`` says what every game is, and ``families`` has one file for each family. ``catalogue`` lists the games with a
name, and ``inline`` makes those that a request describes. ``position`` is a legal position; ``setup`` is a board as it
was given, with all that is wrong with it. ``boards`` has what several families share.
"""
