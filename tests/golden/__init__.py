"""A small stored file of every kind as each version wrote it, in a folder named after the version."""
