"""Certificates: strategies that an independent program can check.

``strategy`` visits every position that a defence can reach. There, ``line_strategy`` and ``state_strategy`` choose the
holder's play, from proven results; ``settled`` decides which positions of line games need no entry. ``certificate`` is
the result. Start reading at ``strategy``.
"""
