"""What attackers send, and to what end: ``table.py`` lists every attack."""
