"""Faults done to a running server under traffic."""
