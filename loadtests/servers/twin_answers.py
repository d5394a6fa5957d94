"""The answers of the twins: the bytes of the service's answer to each board, from the file ``TWIN_ANSWERS``."""

import json
import os
from pathlib import Path

TABLE: dict[str, str] = json.loads(Path(os.environ["TWIN_ANSWERS"]).read_bytes())
ANSWERS = {board: body.encode() for board, body in TABLE.items()}
