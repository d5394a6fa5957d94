"""Opening books: solved early positions of a game, their file, how they are built and checked."""
