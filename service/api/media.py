"""The media types of what the service answers."""

JSON = "application/json"

NDJSON = "application/x-ndjson"
"""JSON line by line, each sent as soon as it is known."""

PROBLEM = "application/problem+json"
