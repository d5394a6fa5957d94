"""The search: known values, nodes and times."""
