"""Opening books: the format of their files, where they are found, how they are looked up, built and checked."""
