"""Opening books: how they are looked up, stored in files, found, built and verified.

``book`` looks positions up by ``indexing``; ``file`` and ``paths`` read and write. ``build`` makes a book out of
``layers`` and lines, in ``tasks`` that an executor runs and whose results ``checkpoints`` keeps; ``check`` verifies it.
The modules whose names begin with ``strategy`` do the same for books of another kind, which hold strategic moves only.
"""
