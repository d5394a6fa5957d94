"""How the service speaks HTTP: gunicorn's parser and processes around a loop of our own."""
