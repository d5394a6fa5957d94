"""How much a search may take, when it may begin, and what it has found so far."""
