"""Programs to copy: they need the standard library and a running service."""
