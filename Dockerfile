FROM python:3.11.15-slim-bookworm AS docs

ENV PATH=/opt/venv/bin:$PATH \
    PIP_DISABLE_PIP_VERSION_CHECK=1 \
    PIP_NO_CACHE_DIR=1
RUN python -m venv /opt/venv

WORKDIR /src
COPY requirements-docs.lock .
RUN pip install --no-deps --require-hashes -r requirements-docs.lock
COPY . .
RUN NO_MKDOCS_2_WARNING=1 mkdocs build --strict


FROM python:3.11.15-slim-bookworm AS builder

ENV PATH=/opt/venv/bin:$PATH \
    PIP_DISABLE_PIP_VERSION_CHECK=1 \
    PIP_NO_CACHE_DIR=1
# For the kernel. Any version will do, and this stage is thrown away, so nothing needs to be tidied up.
# hadolint ignore=DL3008
RUN apt-get update \
    && apt-get install --yes --no-install-recommends gcc libc6-dev
RUN python -m venv /opt/venv

WORKDIR /src
COPY requirements.lock .
RUN pip install --no-deps --require-hashes -r requirements.lock
COPY . .
COPY --from=docs /src/service/guide service/guide
# What has built the service is not needed to run it.
RUN pip install --no-deps --no-build-isolation . \
    && pip uninstall --yes pip setuptools brotli tdewolff-minify


FROM python:3.11.15-slim-bookworm

LABEL org.opencontainers.image.title="Move Oracle" \
      org.opencontainers.image.description="The best move of tic-tac-toe and its family, proven, over HTTP."

COPY --from=builder /opt/venv /opt/venv
ENV PATH=/opt/venv/bin:$PATH
# The base comes without bytecode, and nobody can write it later. Importing what a start imports
# writes it now, which almost halves the time to start, and proves that the service loads.
RUN TABLEBASES=none python -c "import gunicorn.app.wsgiapp, service.asgi, service.edge.connection.protocol, service.edge.admission.rate_limit, service.mcp.server, service.redis_cache, uvicorn_worker, uvloop"

# By default glibc keeps a pool of freed memory for each of up to 8 threads per core, and keeps freed tables of searches.
ENV HOST=0.0.0.0 \
    MALLOC_ARENA_MAX=2 \
    MALLOC_MMAP_THRESHOLD_=131072 \
    PORT=8000 \
    PYTHONDONTWRITEBYTECODE=1 \
    PYTHONUNBUFFERED=1
EXPOSE 8000

# Works with a read-only root: whatever is written goes to /dev/shm.
USER 10001:10001

STOPSIGNAL SIGTERM

# The bare client of the standard library: urllib would heed a proxy of the environment.
HEALTHCHECK --interval=10s --timeout=3s --start-period=10s --retries=3 \
    CMD ["python", "-c", "import http.client, os, sys; \
client = http.client.HTTPConnection('127.0.0.1', int(os.environ['PORT']), timeout=2); \
client.request('GET', '/healthz'); \
sys.exit(client.getresponse().status != 200)"]

CMD ["gunicorn", "-c", "python:service.gunicorn_conf", "service.asgi:app"]
