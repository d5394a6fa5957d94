"""A game in the terminal: the conversation, typed moves, and saved games."""
