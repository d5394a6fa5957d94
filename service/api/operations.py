"""What operators ask: ``/healthz``, ``/readyz``, ``/version`` and ``/metrics``. None of it is ever cached."""

import json
import platform
from typing import Any

from flask import Blueprint, Response

from service import __version__
from service.api.caching import NEVER
from service.games.catalogue import CATALOGUE
from service.kernel.search import KERNEL
from service.metrics import CONTENT_TYPE, Metrics


def operations_routes(metrics: Metrics, *, max_body_bytes: int) -> Blueprint:
    """The routes for probes, dashboards and the curious."""
    routes = Blueprint("operations", __name__)

    @routes.get("/healthz")
    def get_health() -> Response:
        return _json({"status": "ok"})

    @routes.get("/readyz")
    def get_readiness() -> Response:
        return _json({"status": "ready", "kernel": KERNEL, "games": list(CATALOGUE)})

    @routes.get("/version")
    def get_version() -> Response:
        return _json(
            {
                "version": __version__,
                "kernel": KERNEL,
                "python": platform.python_version(),
                "max_body_bytes": max_body_bytes,
            }
        )

    @routes.get("/metrics")
    def get_metrics() -> Response:
        return Response(metrics.exposition(), headers={"Cache-Control": NEVER, "Content-Type": CONTENT_TYPE})

    return routes


def _json(data: dict[str, Any]) -> Response:
    return Response(json.dumps(data), mimetype="application/json", headers={"Cache-Control": NEVER})
