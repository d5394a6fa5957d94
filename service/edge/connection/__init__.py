"""Connections: the HTTP protocol with its limits, the server, and bounds on pending requests and unsent answers."""
