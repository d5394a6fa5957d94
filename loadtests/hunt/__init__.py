"""A differential hunt: random positions asked of every route, each answer compared with values worked out anew.

Only ``product`` uses the service's code, to ask it.
"""
