"""The commands, except for the game in the terminal: one module each."""
