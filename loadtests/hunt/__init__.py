"""A differential hunt: random positions asked of every route, each answer judged by a brute force of its own.

Only ``product`` uses the code of the service, and only to ask it; rules, lines and values are worked out anew.
"""
