"""Answers in their JSON form: bodies, documents and streams.

``answers`` makes the answers about positions from the oracle's results, with ``values``; start reading there.
``games``, ``certificates`` and ``pictures`` make the others; ``plain`` writes text, ``stream`` lines, ``document``
compressed bodies.
"""
