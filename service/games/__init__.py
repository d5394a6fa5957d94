"""The rules, as data: games, positions and the catalogue. Imports nothing of the service but itself."""
