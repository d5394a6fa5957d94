"""Where the files of tables are: the folder of the setting ``TABLEBASES``, or the cache of the user."""

import os
import tempfile
from pathlib import Path

NONE = "none"

NAME = "move-oracle"


def table_folder(place: str) -> Path | None:
    """Return the folder that ``place`` means: none for ``none``, the cache of the user for an empty text.

    None too where that cache cannot be written: then nothing is shared.
    """
    if place == NONE:
        return None
    return Path(place) if place else cache_folder()


def cache_folder() -> Path | None:
    """Return the folder in the cache of the user, which is made if need be; None if it cannot be written."""
    try:
        cache = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
        folder = Path(cache) / NAME
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    except (OSError, RuntimeError):  # there may be no home
        return None
    return folder if os.access(folder, os.W_OK | os.X_OK) else None


def temporary_folder() -> Path | None:
    """Return a new folder, for all workers of a server; None where nothing can be written."""
    try:
        return Path(tempfile.mkdtemp(prefix=f"{NAME}-tables-"))
    except OSError:
        return None
