"""The oracle: a position in, what is known about it out. Knows the games and the kernel, no HTTP."""
