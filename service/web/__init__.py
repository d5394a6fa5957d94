"""The page of the service: plain HTML, CSS and JavaScript that use the public API.

The Python modules join, minify and name its files: ``page`` has the pages and their files; start reading there.
``bundle`` joins modules, ``build`` and ``minified`` make files small. It knows no game: ``rules/`` has the rules in
JavaScript.
"""
