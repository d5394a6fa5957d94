"""The work of a request: its limit, its search slot, its progress.

``limit`` has the limit and the effort that counts against it, ``slots`` the admission of long work, ``turns`` the order
of threads that run Python, ``single_flight`` shared searches. Start reading at ``limit``. It knows no game.
"""
