"""The bytes of connections: the protocol, its server, and what a client may keep waiting."""
