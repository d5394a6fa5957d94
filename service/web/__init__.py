"""The page of the service: plain HTML, CSS and JavaScript that use the public API; joined, but not built."""
