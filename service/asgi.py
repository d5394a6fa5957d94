"""What gunicorn loads: the edge in front of Flask, under the settings of the environment."""

import os
import sys

from service.app import create_service
from service.book.file import InvalidBook
from service.edge.app import create_edge
from service.settings import Settings

try:
    _settings = Settings.from_environment(os.environ)
    app = create_edge(create_service(_settings), _settings)
except InvalidBook as error:
    sys.exit(f"move-oracle: {error}")
