"""Attacks on a running server, and what they cost everyone else."""
