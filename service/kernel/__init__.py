"""The searches: plain integers in and out. They know masks and lines, and no game by name.

``rules`` are a game as arrays, ``memory`` makes the words of the transposition ``table``, ``limits`` and ``stopping``
end a search early. ``board`` is a position as masks, ``patterns`` tests its lines. ``bounds`` are scores without a
search, ``ordering`` sorts moves, ``bits`` counts and mixes.

The searches are in folders: ``alpha_beta`` (start reading there), ``proofs``, ``estimate`` and ``states``. Cython
compiles these modules with the C types of the ``.pxd`` files beside them; without a C compiler they are interpreted.
"""
