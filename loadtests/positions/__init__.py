"""Positions, the requests that ask about them, and the right answers."""
