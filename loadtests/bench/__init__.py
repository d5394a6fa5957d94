"""Benchmarks of the service beside a FastAPI twin, a bare Flask view and another checkout."""
