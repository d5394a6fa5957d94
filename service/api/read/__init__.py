"""Requests as they are read: bytes, queries, boards and moves as people write them."""
