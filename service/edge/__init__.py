"""In front of Flask, on the event loop: what happens to every request, and what needs no Flask.

``service.wsgi:app`` gives the same statuses, bodies and caching headers without this package, only slower.
"""
