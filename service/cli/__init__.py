"""The command ``move-oracle``: what the HTTP service answers, in the terminal, and what only a terminal can do.

``main`` lists the commands; each is in the module that the list names. ``options`` turns their options into requests,
``client`` sends these to the application in this process or to a service elsewhere, ``text`` formats the answers.
"""
