"""The exit codes of ``move-oracle``, beside click's own: 1 for a failure, and 2 for options that it cannot read."""

INVALID = 2
"""The request, a saved game or a setting is invalid."""

INTERRUPTED = 130
"""Ctrl-C ended the command: 128 and the number of the signal."""
