"""Requests under hosts that are not the service's, and whether an answer names them."""

from loadtests.siege.attacks.target import Target, get

FOREIGN = "evil.example"

LEAST_REFUSAL = 400
"""The lowest status of a request that is not answered."""

HOSTS = (
    FOREIGN,
    f"{FOREIGN}:8443",
    f"localhost\r\nHost: {FOREIGN}",
    f"{FOREIGN}\r\nHost: localhost",
    f'x"><script src="//{FOREIGN}">',
    f"{FOREIGN}\\@localhost",
    f"{FOREIGN}/..",
    f"localhost\r\nX-Forwarded-Host: {FOREIGN}",
    f"localhost\r\nX-Forwarded-Prefix: //{FOREIGN}",
    f"localhost\r\nForwarded: host={FOREIGN};proto=https",
    "xn--a",
    "xn--" + "a" * 80,
    "[::1",
    "\xe9",
    "a" * 300,
    "",
)

PAGES = (
    "/?game=connect-four&drops=44",
    "/?board=X...O....",
    "/",
    "/embed",
    "/docs",
    "/openapi.yaml",
    "/openapi.json",
    "/games",
    "/best-move?board=X...O....",
    "/position.svg?board=X...O....",
    "/version",
    "/nothing",
    "/mcp",
)


async def foreign_hosts(target: Target) -> None:
    """Ask for every kind of page under foreign, repeated and broken hosts; no answer may name the host."""
    await target.crowd(8, lambda number: _ask_under(target, number))


async def _ask_under(target: Target, number: int) -> None:
    host, page = HOSTS[number % len(HOSTS)], PAGES[number // len(HOSTS) % len(PAGES)]
    reply = await target.ask(get(page, host=host), leave_after=5)
    if reply is None or reply.status >= LEAST_REFUSAL:  # a refusal may say which host it refuses
        return
    if FOREIGN in f"{reply.headers} {reply.body.decode('utf-8', 'replace')}":
        target.wrong.append(f"{page} under the host {host!r} names it")
