"""HTTP: routes, wire models, notation, problem documents, operations."""
