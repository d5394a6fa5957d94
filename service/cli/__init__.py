"""The command line: the same answers without a server, and a few things that only a terminal can do."""
