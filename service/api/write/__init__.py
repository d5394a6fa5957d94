"""Answers as they are written: bodies, documents and streams."""
