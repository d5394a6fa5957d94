"""How the moves of games are written and read."""
