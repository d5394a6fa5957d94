"""Reading of requests: bodies, queries, and boards and moves in all accepted spellings.

``http`` has the bytes, ``reading`` makes wire models of them with all their faults, ``question`` turns a model into a
position, a limit and choices; start reading there. ``notation`` reads boards and ``record`` moves, with ``drawing`` and
``signs``; ``json_body`` reads JSON, ``refusals`` has the problems of positions without a table.
"""
