"""The types on the wire, from which ``make contract`` makes schemas.

``requests`` and ``rules`` are the models of requests; ``fields`` has the fields of answers, ``answer_types`` the
answers about positions. ``contract`` has helpers for descriptions. Types of a single route are in the module of the
route.
"""
