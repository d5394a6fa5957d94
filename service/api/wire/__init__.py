"""The types on the wire, from which ``make contract`` makes schemas.

``requests``, ``boards`` and ``rules`` are the models of requests. ``position_fields`` and ``fields`` are the fields of
answers, ``groups`` those that come together; ``answer_types``, ``analysis_types`` and ``review_types`` are the answers
about positions. ``contract`` has helpers for descriptions. Types of a single route are in the module of the route.
"""
