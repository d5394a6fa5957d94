"""The build and the verification of books.

``build`` makes a book from ``layers`` and lines, ``strategy_build`` one of the other kind. Both run ``tasks`` in an
executor, whose results ``checkpoints`` keeps. ``check`` verifies books. Start reading at ``build``. The service itself
imports nothing of this.
"""
