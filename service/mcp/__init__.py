"""The service for language models, by the Model Context Protocol: tools, resources and a prompt over two transports.

Only ``server`` and ``endpoint`` import the SDK, which is an optional dependency and slow to load.
"""
