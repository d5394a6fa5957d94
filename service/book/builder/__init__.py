"""How books are made and verified."""
