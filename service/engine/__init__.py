"""Results of positions: a position and a limit in, a proven result or bounds out.

``oracle`` asks the sources of a result in order: look-up, caches, search. ``engine`` is the protocol that it asks;
``line_engine`` answers for games of lines, ``state_engine`` for all others. A ``solver`` turns the answers of the
kernel's searches into a ``result``; ``line_solver`` adds what only games of lines have. ``skill`` chooses the moves of
weaker players. ``work`` limits and admits searches, ``cache`` keeps proven results, ``tables`` are complete tables,
``certificates`` prove outcomes to others. Start reading at ``oracle``. Nothing here knows HTTP, sentences, or a game
by its name.
"""
