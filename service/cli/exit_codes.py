"""The exit codes of ``move-oracle``, beside click's own: 1 for a failure, 2 for invalid options."""

INVALID = 2
"""The request, a saved game or a setting is invalid."""

INTERRUPTED = 130
"""Ctrl-C ended the command: 128 plus the number of the signal."""
