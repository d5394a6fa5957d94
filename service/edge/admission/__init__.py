"""Admission of requests: checks of heads, sizes of bodies, places for concurrent requests, and rate limits."""
