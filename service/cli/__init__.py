"""The command ``move-oracle``: what the HTTP service answers, in the terminal, and what only a terminal can do.

``main`` lists the commands; each is in the module that the list names. ``options`` turns their options into requests,
``client`` sends these to the application in this process or to a service elsewhere, ``progress`` shows on a terminal
that a search goes on, ``text`` formats the answers. ``play`` talks with a player about a ``match``, which
``saved_game`` reads from a file and writes to one.
"""
