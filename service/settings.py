"""Every setting, declared once: its environment variable, its default and its description."""

import logging
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, fields, replace
from difflib import get_close_matches
from importlib.util import find_spec
from typing import Any
from urllib.parse import urlsplit

from service.cores import cores

log = logging.getLogger("service")


class InvalidSetting(ValueError):
    """Variables with unusable values; the message names each, the reason and the valid values, one per line."""


MOST_DIGITS = 20
"""The maximum digits of a number: more than any maximum has, and fewer than Python converts."""

NEAR_MISS = 0.88
"""The least similarity, from 0 to 1, of a variable to a setting that is reported as a possible typing error.

``HOSTS`` is 0.89 like ``HOST``, and ``MAX_SERCHES`` 0.96 like ``MAX_SEARCHES``; ``POST`` is 0.75 like ``PORT``.
"""

MAX_TIME_MS = 30 * 24 * 3600 * 1000
MAX_NODES = 10**15
"""The maximum limits in a process with a single user."""

STORAGE = "must be memory:// or a URL such as redis://localhost:6379/0"


def _whole(low: int, high: int) -> Callable[[str], int]:
    def read(text: str) -> int:
        if not (text.isascii() and text.isdigit() and len(text) <= MOST_DIGITS and low <= int(text) <= high):
            raise InvalidSetting(f"must be a whole number from {low} to {high}")
        return int(text)

    return read


def _text(text: str) -> str:
    return text


def _origin(text: str) -> str:
    if not re.fullmatch(r"\*|none|https?://[A-Za-z0-9.:\[\]-]+", text):
        raise InvalidSetting("must be *, none, or an origin such as https://example.org")
    return text


def _public_url(text: str) -> str:
    address = r"https?://([A-Za-z0-9.-]+|\[[0-9A-Fa-f:.]+\])(:\d+)?"
    if not re.fullmatch(rf"{address}(/[\w.~!$&'()*+,;=:@%/-]*)?", text, re.ASCII) or not _has_port_in_range(text):
        raise InvalidSetting("must be an address such as https://oracle.example.org or https://example.org/oracle")
    return text.rstrip("/")


def _has_port_in_range(url: str) -> bool:
    """Return whether the port of a URL, if it has one, is from 1 to 65535."""
    try:
        return urlsplit(url).port != 0
    except ValueError:
        return False


def _hosts(text: str) -> str:
    if not re.fullmatch(r"\s*(\*|[\w.-]+)(\s*,\s*(\*|[\w.-]+))*\s*", text, re.ASCII):
        raise InvalidSetting("must be * or names of hosts such as oracle.example.org, without ports, with , between")
    return text


def _redis(text: str) -> str:
    try:
        url = urlsplit(text)
        place = url.path if url.scheme == "unix" else url.port != 0 and url.hostname
    except ValueError:
        url, place = urlsplit(""), ""
    if url.scheme not in ("redis", "rediss", "unix") or not place or not _is_database(url.scheme, url.path):
        raise InvalidSetting("must be the URL of a Redis, such as redis://:password@host:6379/0, rediss:// or unix://")
    if url.query or url.fragment:
        raise InvalidSetting("must be a URL without ? and #; encode those of a password as %3F and %23")
    return text


def _is_database(scheme: str, path: str) -> bool:
    return scheme == "unix" or re.fullmatch(r"/?[0-9]{0,9}", path, re.ASCII) is not None


def _rate(text: str) -> str:
    one = r"\s*[1-9]\d{0,8}\s*(/|\s+per\s+)\s*([1-9]\d{0,4}\s*)?(second|minute|hour|day|month|year)s?\s*"
    if not re.fullmatch(rf"{one}(;{one})*", text, re.ASCII):
        raise InvalidSetting("must be limits such as 100 per minute, with ; between several")
    return text


def _storage(text: str) -> str:
    address = r"([^\s@/]*@)?([\w.-]+|\[[\da-f:.]+\])(:\d+)?"
    url = re.fullmatch(rf"memory://|rediss?://{address}(/\d*)?(\?[\x21-\x7e]*)?", text, re.ASCII)
    if not url or not _has_port_in_range(text):
        raise InvalidSetting(STORAGE)
    return text


def _choice(*choices: str) -> Callable[[str], str]:
    def read(text: str) -> str:
        if text not in choices:
            raise InvalidSetting(f"must be one of {', '.join(choices)}")
        return text

    return read


def _setting(
    variable: str, read: Callable[[str], Any], description: str, *, secret: bool = False, **default: Any
) -> Any:
    """Declare a setting; a ``secret`` one never appears in messages or lists."""
    metadata = {"variable": variable, "read": read, "description": description, "secret": secret}
    return field(metadata=metadata, repr=not secret, **default)


@dataclass(frozen=True, kw_only=True)
class Settings:
    """The settings of the service. ``from_environment`` reads them; tests make them directly."""

    host: str = _setting("HOST", _text, "Address to listen on.", default="127.0.0.1")
    port: int = _setting("PORT", _whole(0, 65535), "Port to listen on; 0 takes any free one.", default=8000)
    workers: int = _setting(
        "WEB_CONCURRENCY",
        _whole(1, 256),
        "Worker processes; by default one per core that the container may use.",
        default_factory=cores,
    )
    threads: int = _setting("THREADS", _whole(1, 256), "Threads of each worker.", default=8)
    graceful_timeout: int = _setting(
        "GRACEFUL_TIMEOUT",
        _whole(1, 3600),
        "Seconds that a stopping worker has to answer the requests it has accepted.",
        default=30,
    )
    client_timeout: int = _setting(
        "CLIENT_TIMEOUT",
        _whole(1, 3600),
        "Seconds for a request to arrive whole, and for a client to read some of a waiting answer.",
        default=20,
    )
    log_level: str = _setting(
        "LOG_LEVEL",
        _choice("debug", "info", "warning", "error"),
        "Lowest level that is logged; requests are logged at `info`.",
        default="info",
    )
    max_body_bytes: int = _setting(
        "MAX_BODY_BYTES", _whole(1024, 1 << 26), "Largest request body in bytes; larger ones get 413.", default=1 << 20
    )
    default_time_ms: int = _setting(
        "DEFAULT_TIME_MS", _whole(1, 3_600_000), "Time limit of a search whose request sets none.", default=5000
    )
    max_time_ms: int = _setting(
        "MAX_TIME_MS", _whole(1, 3_600_000), "Largest time limit that a request may set.", default=60_000
    )
    max_nodes: int = _setting(
        "MAX_NODES", _whole(1, 10**12), "Largest node limit that a request may set.", default=10_000_000
    )
    max_searches: int = _setting(
        "MAX_SEARCHES",
        _whole(1, 1024),
        "Search slots: long searches at once, shared evenly among the workers and rounded up; by default one per core.",
        default_factory=cores,
    )
    max_queued: int = _setting(
        "MAX_QUEUED",
        _whole(0, 1024),
        "Long searches that may wait for a slot, shared in the same way; further ones get 503.",
        default=4,
    )
    table_mb: int = _setting(
        "TABLE_MB",
        _whole(1, 1 << 20),
        "Largest size of the transposition table, in megabytes; all workers share it.",
        default=128,
    )
    books: str = _setting(
        "BOOKS",
        _text,
        "Books of solved positions: files, or directories of `.book` files, with `:` between several; `none` for none. "
        "By default those that `move-oracle book build` has made, and those of the package for all other games.",
        default="",
    )
    tablebases: str = _setting(
        "TABLEBASES",
        _text,
        "Folder of the complete tables of games of families, which all workers share; `none` for none. No other user "
        "may write there. By default `move-oracle` in the cache of the user, or a temporary folder if that cannot be "
        "used.",
        default="",
    )
    tablebases_mb: int = _setting(
        "TABLEBASES_MB",
        _whole(1, 1 << 20),
        "Largest size of that folder, in megabytes; beyond it the tables that were used longest ago are deleted.",
        default=2048,
    )
    max_positions: int = _setting(
        "MAX_POSITIONS",
        _whole(1, 10**9),
        "Most positions, up to symmetry, of a game of a family for which the service makes a table.",
        default=20_000_000,
    )
    public_url: str = _setting(
        "PUBLIC_URL",
        _public_url,
        "Address at which clients reach the page, such as `https://oracle.example.org`; links to positions then show "
        "their board in chats. Empty for links without an image.",
        default="",
    )
    cors_origin: str = _setting(
        "CORS_ORIGIN", _origin, "Origin whose pages may call the API; `*` for all, `none` for none.", default="*"
    )
    rate_limit: str = _setting(
        "RATE_LIMIT",
        _rate,
        "Requests that each client may send, such as `100 per minute; 1000 per day`; empty for no limit.",
        default="",
    )
    rate_limit_storage: str = _setting(
        "RATE_LIMIT_STORAGE",
        _storage,
        "Where requests are counted: `memory://` in each worker separately, `redis://...` for all workers together.",
        secret=True,
        default="memory://",
    )
    trusted_proxies: int = _setting(
        "TRUSTED_PROXIES",
        _whole(0, 16),
        "Number of proxies in front whose `X-Forwarded-For` is trusted; 0 trusts none.",
        default=0,
    )
    mcp: str = _setting(
        "MCP",
        _choice("on", "off"),
        "Whether language models may ask at `/mcp`, if the extra `mcp` is installed.",
        default="on",
    )
    mcp_hosts: str = _setting(
        "MCP_HOSTS",
        _hosts,
        "Names under which clients reach `/mcp`, with `,` between several; `*` for any. Addresses and `localhost` are "
        "always allowed.",
        default="",
    )
    cache_url: str = _setting(
        "CACHE_URL",
        _redis,
        "Redis or Valkey in which instances share proven answers, such as `redis://host:6379/0`; empty for none.",
        secret=True,
        default="",
    )
    cache_secret: str = _setting(
        "CACHE_SECRET",
        _text,
        "Secret that signs entries of the shared cache; instances trust only entries signed with it.",
        secret=True,
        default="",
    )

    @classmethod
    def from_environment(cls, environment: Mapping[str, str]) -> "Settings":
        """Return the settings of the environment; variables that are unset or empty have their defaults.

        Raises InvalidSetting, which names all variables with unusable values.
        """
        given = {setting: environment.get(setting.metadata["variable"], "") for setting in fields(cls)}
        values, faults = {}, []
        for setting, text in given.items():
            try:
                if text:
                    values[setting.name] = _read(setting.metadata, text)
            except InvalidSetting as error:
                faults.append(str(error))
        settings = cls(**values)
        faults = faults or [*settings._contradictions()]
        if faults:
            raise InvalidSetting("\n".join(faults))
        return settings

    def for_one_user(self) -> "Settings":
        """Return these settings for a process with a single user: almost without limits."""
        return replace(self, max_time_ms=MAX_TIME_MS, max_nodes=MAX_NODES, rate_limit="")

    def _contradictions(self) -> Iterator[str]:
        """Yield the reasons why settings cannot be combined, or used on this system."""
        for variable, value in (("CACHE_URL", self.cache_url), ("RATE_LIMIT_STORAGE", self.rate_limit_storage)):
            if value and not value.startswith("memory:") and find_spec("redis") is None:
                yield f"{variable} needs the package redis: pip install 'move-oracle[redis]'"
        if self.default_time_ms > self.max_time_ms:
            yield f"DEFAULT_TIME_MS={self.default_time_ms} must not be greater than MAX_TIME_MS={self.max_time_ms}"


def warn_of_near_misses(environment: Mapping[str, str]) -> None:
    """Log each variable that is no setting, but has nearly the name of one; not its value, which may be a secret."""
    for given, meant in near_misses(environment):
        log.warning("The variable %s is no setting, so it has no effect; %s may be meant", given, meant)


def near_misses(environment: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Yield each variable with nearly the name of a setting, and that name."""
    settings = [setting.metadata["variable"] for setting in fields(Settings)]
    for given in sorted(environment):
        if environment[given] and given not in settings:
            for meant in get_close_matches(given.upper().replace("-", "_"), settings, n=1, cutoff=NEAR_MISS):
                yield given, meant


def _read(setting: Mapping[str, Any], text: str) -> Any:
    try:
        if setting["secret"]:
            _check_encoding(text)
        return setting["read"](text)
    except InvalidSetting as error:
        shown = "..." if setting["secret"] else repr(text)
        raise InvalidSetting(f"{setting['variable']}={shown}: {error}") from None


def _check_encoding(text: str) -> None:
    """Raise InvalidSetting for bytes that are not UTF-8: later errors would show the value."""
    if any("\udc80" <= character <= "\udcff" for character in text):
        raise InvalidSetting("must be UTF-8")
