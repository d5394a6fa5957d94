"""The search: plain integers in and out. Knows masks and lines, no game by name.

``rules`` are a game as arrays, ``memory`` provides the words of the transposition ``table``, and ``limits`` and
``stopping`` say how a search ends early. ``board`` is a position as masks, ``canonical`` its symmetric
images, ``bounds`` are scores without a search, ``ordering`` says which move comes first, and ``bits`` counts and mixes.
The searches are in folders: ``alpha_beta``, ``proofs``, ``estimate`` and ``states``.
Cython compiles these modules with the C types of the ``.pxd`` files beside them; without a C compiler they run as they
are.
"""
