"""The commands, but for the game in the terminal."""
