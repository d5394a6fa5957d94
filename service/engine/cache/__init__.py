"""Caches of proven results: in a worker, and shared between instances of the service.

``proven_cache`` is the one that the oracle asks; start reading there. A cache holds no unproven result.
"""
