"""The hosts and origins that may reach the endpoint: protection against DNS rebinding.

A page that rebinds its own name to the address of the service sends that name as ``Host``. Addresses and names of this
machine cannot be rebound.
"""

from ipaddress import ip_address
from urllib.parse import urlsplit

from service.api.problems import Problem, shortened

ANY = "*"
LOCAL = "localhost"
LONGEST = 64
"""The maximum characters of a host or an origin that a problem repeats."""


class Hosts:
    """The allowed names of the service, beside addresses and the names of this machine; ``*`` allows any.

    Pages of ``origin`` may call the service by any host; ``*`` and ``none`` name no particular origin.
    """

    def __init__(self, names: str, origin: str) -> None:
        self._names = frozenset(name.strip().lower() for name in names.split(",") if name.strip())
        self._origin = origin

    def refusal(self, host: str, origin: str | None) -> Problem | None:
        """Return the problem of a request with a forbidden host or origin; None if both are allowed."""
        name = _name(f"//{host}")
        if name is None or not (self._is_known(name) or _is_address(name)):
            shown = shortened(host, LONGEST)
            return Problem("forbidden", f"The host {shown} is not allowed; it can be added to MCP_HOSTS.")
        if origin is None or origin == self._origin:
            return None
        page = _name(origin)
        if page is None or not (self._is_known(page) or _is_loopback(page)):
            shown = shortened(origin, LONGEST)
            return Problem("forbidden", f"The origin {shown} is not allowed; its host can be added to MCP_HOSTS.")
        return None

    def _is_known(self, name: str) -> bool:
        return ANY in self._names or name in self._names or name == LOCAL or name.endswith(f".{LOCAL}")


def _name(url: str) -> str | None:
    """Return the host of a URL without its port; None if it has none."""
    try:
        return urlsplit(url).hostname
    except ValueError:
        return None


def _is_address(name: str) -> bool:
    try:
        ip_address(name)
    except ValueError:
        return False
    return True


def _is_loopback(name: str) -> bool:
    return _is_address(name) and ip_address(name).is_loopback
