"""The search: plain integers in and out. Knows masks and lines, no game by name.

``search`` is the negamax search, on top of ``nodes`` (what is in memory of the tree), ``bounds`` (scores without a
search), ``table`` (the transposition table), ``ordering``, ``limits``, ``board`` (masks) and ``bits``.
``estimator`` looks ahead where the end is too far: ``candidates`` are the moves that it tries, ``evaluation`` judges
positions by ``weights``. ``look_ahead`` sees what a weaker player sees.
Cython compiles these modules with the C types of the ``.pxd`` files beside them; without a C compiler they run as they
are.

``rules`` and ``layout`` turn a game into arrays, ``memory`` provides the words of the table, and ``stopping`` says
how a search ends early. ``reference`` and ``textbook`` are slow and obvious, to check and to count against.
"""
