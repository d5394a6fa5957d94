"""Searches that prove a win or a draw without a score: threats, proof numbers, maker-breaker games."""
