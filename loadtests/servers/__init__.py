"""Servers that the commands start, and what a server costs."""
