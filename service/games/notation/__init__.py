"""The notation of moves: their names, and how they are read."""
