"""Requests as HTTP carries them: the bytes of a body, and the parameters of a query."""

import re
from collections.abc import Mapping, Sequence

from flask import Request
from werkzeug.exceptions import HTTPException, RequestEntityTooLarge

from service.api.problems import Problem, shortened

JSON_TYPES = re.compile(r"(application/(json|[\w.+-]+\+json|x-www-form-urlencoded)|text/plain)? *(;.*)?", re.IGNORECASE)
"""JSON, and what is announced if nobody says otherwise: nothing, a form by ``curl -d``, text by a browser's fetch."""

LONGEST_TYPE = 64
"""Characters of a wrong content type that a problem repeats."""


def read_body(request: Request) -> bytes:
    """Return the body of a request that announces JSON, or what clients announce if nobody says otherwise.

    Raises a Problem for another content type and for a body that cannot be received whole.
    """
    content_type = request.mimetype
    if not JSON_TYPES.fullmatch(content_type):
        shown = shortened(content_type, LONGEST_TYPE)
        raise Problem("unsupported-media-type", f"The content type is {shown}; send JSON text as application/json.")
    try:
        body = request.get_data(cache=False)
        # Without a length, werkzeug reads up to the limit and leaves it at that.
        goes_on = request.content_length is None and request.environ["wsgi.input"].read(1)
    except HTTPException:
        raise
    except Exception as error:  # every server has errors of its own for a body that breaks the rules
        raise Problem("malformed-request", f"The body could not be received completely: {error}.") from error
    if goes_on:
        raise RequestEntityTooLarge
    if request.content_length is not None and len(body) < request.content_length:
        raise Problem("malformed-request", f"The body ended after {len(body)} of {request.content_length} bytes.")
    return body


def read_query(request: Request) -> Mapping[str, Sequence[str]]:
    """Return the parameters of the query of a request, with every value of each."""
    return request.args.to_dict(flat=False)
