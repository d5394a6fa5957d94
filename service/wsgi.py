"""The Flask application without the edge, with the settings of the environment, for any WSGI server."""

import os
import sys

from service.app import create_app
from service.book.file import InvalidBook
from service.settings import InvalidSetting, Settings, warn_of_near_misses

try:
    _settings = Settings.from_environment(os.environ)
    warn_of_near_misses(os.environ)
    app = create_app(_settings)
except (InvalidBook, InvalidSetting) as error:
    sys.exit(f"move-oracle: {error}")
