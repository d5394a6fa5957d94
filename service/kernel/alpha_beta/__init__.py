"""Alpha-beta with a transposition table, for games of lines.

``search`` is the entry to all searches of a position; start reading at ``Search.bound``. ``alpha_beta`` has the steps
of a node, ``nodes`` the arrays of positions, ``history`` the moves that have cut off. ``reference`` is the plain
minimax that they are compared with.
"""
