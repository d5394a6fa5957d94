"""A position and a limit in, a proven result or bounds out. Knows no HTTP, and no words for what it finds."""
