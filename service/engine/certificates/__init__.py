"""Certificates: strategies that anyone can check."""
