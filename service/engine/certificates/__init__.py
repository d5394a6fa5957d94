"""Certificates: strategies that an independent program can check.

``strategy`` builds the strategy of a player from proven results; ``settled`` decides which positions need no entry.
``certificate`` is the result. Start reading at ``strategy``.
"""
