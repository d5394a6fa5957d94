"""The command ``move-oracle``: the answers of the HTTP service in the terminal, and games against it.

``main`` lists the commands and the module of each. ``options`` turns their options into requests, ``client`` sends them
to the application in this process or to a service at a URL, ``progress`` shows that a search goes on, ``text`` formats
answers. ``game`` is a game in the terminal. Start reading at ``main``. It uses the API only, and makes no answers
itself.
"""
