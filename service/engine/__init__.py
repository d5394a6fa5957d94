"""A position and a limit in, a proven result or bounds out. Knows no HTTP, and no words for what it finds.

``oracle`` answers from where it is cheapest: ``tablebase``, books, caches (``lru_cache``, ``shared``) or a search.
``prover`` and ``solver`` put a position to the kernel; ``limit`` says how long, ``slots`` how many at once, and
``single_flight`` lets one search do for all that want the same. ``result`` is what is found, ``progress`` is what a
running search shows, ``skill`` chooses the moves of weaker players. ``certify`` makes a ``certificate`` of what is
proven: a ``strategy`` of moves, in which ``settled`` positions and a ``pairing`` need no more, and ``images`` by
symmetries are shared.
"""
