"""Programs to copy: each runs beside ``make serve``; see README.md."""
