"""The Flask application alone, without the edge, under the settings of the environment; for any WSGI server."""

import os
import sys

from service.app import create_app
from service.book.file import InvalidBook
from service.settings import InvalidSetting, Settings

try:
    app = create_app(Settings.from_environment(os.environ))
except (InvalidBook, InvalidSetting) as error:
    sys.exit(f"move-oracle: {error}")
