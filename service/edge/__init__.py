"""The ASGI application in front of Flask, on the event loop.

It serves what needs no Flask (cached responses, complete tables, probes), and adds limits, headers, log and metrics.
``app`` is the way of a request, ``connection`` the bytes before it, ``admission`` the limits; start reading at ``app``.
It knows no game. ``service.wsgi:app`` gives the same statuses, bodies and caching headers without this package, but is
slower.
"""
