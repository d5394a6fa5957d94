"""The least that an application under uvicorn does: the same answers, looked up in a table, and no framework.

It checks nothing and reads no header, so it shows what the server alone costs: no service can be faster under it.
"""

import json
from typing import Any

from loadtests.servers.twin_answers import ANSWERS


async def app(scope: dict[str, Any], receive: Any, send: Any) -> None:
    """Answer about the board of the body; to a request without a body, that the twin runs."""
    if scope["type"] != "http":
        return
    body, more = b"", True
    while more:
        event = await receive()
        body, more = body + event["body"], event["more_body"]
    answer = ANSWERS[json.loads(body)["board"]] if body else b'{"status":"ready"}'
    headers = [(b"content-type", b"application/json"), (b"content-length", str(len(answer)).encode())]
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    await send({"type": "http.response.body", "body": answer})
