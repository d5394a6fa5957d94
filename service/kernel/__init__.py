"""The search: plain integers in and out. Knows masks and lines, no game by name."""
