"""Ways to send requests: with wrk, at a constant rate, and in process."""
