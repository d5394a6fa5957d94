"""Alpha-beta with a transposition table, for games of lines.

``search`` is the algorithm, ``nodes`` its arrays. ``reference`` is the plain minimax that it is compared with. Start
reading at ``Search.bound``.
"""
