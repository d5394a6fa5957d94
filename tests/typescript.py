"""What npm installs, shared by all tests; and TypeScript against the types that are generated from the contract."""

from fcntl import LOCK_EX, flock
from hashlib import sha256
from pathlib import Path

from tests.programs import written
from tests.support import ROOT, need

PACKAGES = ("openapi-typescript@7.13.0", "typescript@5.9.3", "@types/node@20.19.25")
FLAGS = (
    *("--strict", "--skipLibCheck", "--target", "es2022", "--module", "commonjs", "--moduleResolution", "node10"),
    *("--types", "node"),
)


def installed(*packages: str) -> Path:
    """Return a folder with these packages, installed once for all tests and for all runs that need the same."""
    folder = ROOT / ".pytest_cache" / "npm" / sha256(" ".join(packages).encode()).hexdigest()[:16]
    folder.mkdir(parents=True, exist_ok=True)
    done = folder / "done"
    with (folder / "lock").open("w") as lock:
        flock(lock, LOCK_EX)
        if not done.exists():
            written(need("npm"), "install", "--silent", "--no-save", "--prefix", str(folder), *packages, cwd=folder)
            done.touch()
    return folder / "node_modules"


def run_typescript(source: str, url: str, folder: Path, *packages: str) -> str:
    """Return what a program wrote that imports ``./contract``, compiled strictly, given the URL of a server.

    With the ``packages`` of hey-api it can import ``./hey`` too.
    """
    contract = str(ROOT / "openapi.yaml")
    (folder / "node_modules").symlink_to(installed(*PACKAGES, *packages))
    (folder / "program.ts").write_text(source)
    written("node_modules/.bin/openapi-typescript", contract, "--output", "contract.d.ts", cwd=folder)
    if packages:
        written("node_modules/.bin/openapi-ts", "-i", contract, "-o", "hey", "-c", "@hey-api/client-fetch", cwd=folder)
    written("node_modules/.bin/tsc", *FLAGS, "program.ts", cwd=folder)
    return written(need("node"), "program.js", url, cwd=folder)
