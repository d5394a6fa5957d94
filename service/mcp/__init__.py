"""The service for language models, by the Model Context Protocol: tools, resources and a prompt.

``tools`` lists the tools, ``calls`` has their functions, ``sentences`` the texts of their answers. They ask the routes
of the service by ``routes``. ``endpoint`` serves HTTP, ``server`` both transports; only these two import the SDK, which
is optional and slow to load. Start reading at ``tools``. It knows no game, and makes no answers itself.
"""
