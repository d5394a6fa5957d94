"""Faults done to a running server, and exact accounts of the requests meanwhile."""
