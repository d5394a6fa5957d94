"""A game in the terminal: played, typed and saved."""
