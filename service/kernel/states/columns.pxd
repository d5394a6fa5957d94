# Compiled for its loops; other modules call it in Python.
