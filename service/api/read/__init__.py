"""Reading of requests: bodies, queries, and boards and moves in all accepted spellings."""
