"""Searches over the states of any rules: complete tables by retrograde analysis, alpha-beta without loops."""
