"""The application that gunicorn loads: the edge in front of Flask, with the settings of the environment."""

import os
import sys

from service.api.site.documents import contract_as_json
from service.app import create_service
from service.book.file import InvalidBook
from service.edge.app import create_edge
from service.games.catalogue import DEFAULT_GAME
from service.settings import InvalidSetting, Settings, warn_of_near_misses

try:
    _settings = Settings.from_environment(os.environ)
    warn_of_near_misses(os.environ)
    _service = create_service(_settings)
    _service.tables.fill(DEFAULT_GAME)
    contract_as_json()  # made before the fork, because its parser blocks all threads of a process
    app = create_edge(_service, _settings)
except (InvalidBook, InvalidSetting) as error:
    sys.exit(f"move-oracle: {error}")
