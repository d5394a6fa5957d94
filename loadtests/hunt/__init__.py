"""A differential hunt: random positions asked of every route, each answer held against a brute force of its own.

``python -m hunt`` runs it, with this folder's parent on the path. Nothing here but ``product`` uses the service's code,
and that only to ask it over HTTP; rules, lines and values are worked out anew.
"""
