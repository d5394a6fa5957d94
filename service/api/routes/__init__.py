"""The routes about positions and games, one module each."""
