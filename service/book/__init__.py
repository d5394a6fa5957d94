"""Opening books: look-up, files, and in ``builder`` their build and verification.

``book`` looks up scores and lines by the ``indexing`` of positions; ``strategy`` is a book of another kind, which holds
winning moves only. ``file`` and ``strategy_file`` read and write them, ``paths`` finds them, ``variation`` makes lines
of best play. Start reading at ``book``. Nothing here knows HTTP, or imports ``engine``.
"""
