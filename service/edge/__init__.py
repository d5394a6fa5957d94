"""In front of Flask, on the event loop: what happens to every request, and what needs no Flask.

``service.wsgi:app`` answers the same without this package, only slower.
"""
