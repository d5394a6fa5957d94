# make serve: runs the service.   make test: runs the quick tests.   make help: lists the rest.

PYTHON ?= python3
PYTHONS ?= python3.12 python3.13 python3.14
VENV := .venv
BIN := $(VENV)/bin
export PATH := $(CURDIR)/$(BIN):$(PATH)

# A stamp for each step, which is repeated when its lock file has changed, or what it compiles.
BUILD_TOOLS := $(VENV)/build-tools
LIBRARIES := $(VENV)/libraries
COMPILED := $(VENV)/compiled
MINIFIED := $(VENV)/minified
PACKAGE := $(VENV)/package
INSTALLED := $(VENV)/installed
INSTALLED_DOCS := $(VENV)/installed-docs
INSTALLED_TEST := $(VENV)/installed-test
INSTALLED_EXAMPLES := $(VENV)/installed-examples

# As setup.py has it: a module with C types beside it is compiled.
TYPES := $(shell find service -name '*.pxd')
IN_C := $(patsubst %,service/kernel/%,bits.pxd patterns.pxd patterns.h patterns_body.h scheduling.pxd)
SOURCES := $(TYPES) $(wildcard $(TYPES:.pxd=.py)) $(IN_C)

PAGES := $(shell find service/web -name '*.css' -o -name '*.html' -o -name '*.js' -o -name '*.py' -o -name '*.svg')

# uv takes a fifth of the time of pip, its own installation included. pip installs where there is no uv, and where only pip
# knows the index.
PIP := $(BIN)/pip install -q --disable-pip-version-check --no-compile --no-deps
INSTALL = { command -v uv && uv pip install --python $(BIN)/python --no-deps $(1); } >/dev/null 2>&1 || $(PIP) $(1)

# ccache takes a fifth of the compiler's time when the same sources are compiled again.
COMPILER := $(if $(shell command -v ccache),CC="ccache cc")

# A test that is not marked verify is quick. The tests of a file often share what takes long to set up.
QUICK := pytest -n auto --dist worksteal -m "not verify"
EVERY := pytest -n auto --dist loadfile --no-loadscope-reorder
VERIFY := $(EVERY) -m verify

export NO_MKDOCS_2_WARNING := 1
# Libraries are installed without byte code. The first start writes it, else every start would translate them again.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.PHONY: help serve install contract docs docs-serve test verify thorough coverage check fuzz hunt keys mutants pythons load faults soak siege million bench bench-connect-four bench-strength bench-proofs book image lock clean

help: ## list these commands
	@sed -n 's/^\([a-z-]*\):.*## /\1\t/p' $(MAKEFILE_LIST) | expand -t 20

serve: $(INSTALLED) $(MINIFIED) ## run the service on HOST:PORT, by default 127.0.0.1:8000
	exec gunicorn -c python:service.gunicorn_conf service.asgi:app

install: $(INSTALLED) $(MINIFIED) ## install the service and its command line, .venv/bin/move-oracle

docs: $(INSTALLED_DOCS) ## build the documentation, which the service serves at /guide/
	python docs/tables.py
	mkdocs build --strict

docs-serve: $(INSTALLED_DOCS) ## show the documentation at 127.0.0.1:8001, and build it again at each change
	mkdocs serve --no-strict --dev-addr 127.0.0.1:8001

test: $(INSTALLED_TEST) $(MINIFIED) ## the quick tests: every law, and every interface; minutes, without network or builds
	$(QUICK)

verify: $(INSTALLED_EXAMPLES) $(MINIFIED) ## the tests that make test leaves out: servers, signals, browsers, builds, deployment
	$(VERIFY)

thorough: $(INSTALLED_EXAMPLES) ## every test with all its cases in a random order, every hunt, every benchmark with its budgets: hours
	THOROUGH=yes ORDER=$${ORDER:-$$(date +%s)} $(EVERY) --timeout 7200
	$(MAKE) coverage pythons mutants fuzz keys hunt load faults soak siege million bench bench-connect-four bench-strength bench-proofs
	python -m loadtests hunt --near-end 20000 --seed 1
	python -m loadtests hunt --seconds 180 --seed 1 --weak-key
	python -m loadtests mcp
	python -m loadtests search --effort long --rounds 1

coverage: $(INSTALLED_EXAMPLES) $(MINIFIED) ## measure what make test and make verify cover, in two to three times their time; fails below 95 %
	coverage erase
	$(EVERY) --timeout 1800 --cov

contract: $(INSTALLED_TEST) ## write the schemas of openapi.yaml from the types of requests and answers
	python docs/contract.py

check: $(INSTALLED_TEST) ## lint, format, types, imports, contract, prose, documentation
	ruff check
	ruff format --check
	mypy
	lint-imports
	python docs/contract.py --check
	python docs/wording.py
	openapi-spec-validator openapi.yaml
	hadolint Dockerfile
	proselint check --config proselint.json README.md CHANGELOG.md CONTRIBUTING.md SECURITY.md docs
	python docs/tables.py --check
	python docs/nodes.py --check
	mkdocs build --strict --quiet

fuzz: $(INSTALLED_TEST) ## 120,000 hostile requests, by the contract and byte by byte
	FUZZ_REQUESTS=$${FUZZ_REQUESTS:-20000} FUZZ_BYTES=$${FUZZ_BYTES:-100000} \
		pytest tests/api/test_fuzz.py tests/api/test_fuzz_bytes.py

hunt: $(INSTALLED_TEST) ## ten minutes of random positions, every answer compared with an independent brute force
	python -m loadtests hunt $(HUNT)

keys: $(INSTALLED_TEST) ## a thousand million pairs of positions that differ in few cells: none may share a key
	KEY_PAIRS=1000000000 pytest tests/kernel/test_keys.py

mutants: $(INSTALLED_TEST) ## ten faults, each put into a copy of the service: the test that is there for it must fail
	python -m loadtests mutants

pythons: ## install and run the quick tests with the other versions of Python that are here, as PYTHONS names them
	@for python in $(PYTHONS); do \
		if $$python --version 2>/dev/null; then \
			folder=$$(mktemp -d) && git clone -q . "$$folder" && $(MAKE) -s -C "$$folder" PYTHON="$$python" test || exit 1; \
			rm -rf "$$folder"; \
		else \
			echo "There is no $$python here, so nothing was tested with it."; \
		fi; \
	done

load: $(INSTALLED_TEST) ## 30 seconds of mixed load against a server of its own
	python -m loadtests load $(LOAD)

faults: $(INSTALLED_TEST) ## kill a worker every two seconds for a minute, under load, and check every answer
	python -m loadtests faults $(FAULTS)

soak: $(INSTALLED_TEST) ## ten minutes of mixed load; fails if memory or latency grows
	python -m loadtests soak $(SOAK)

siege: $(INSTALLED_TEST) ## five minutes of attacks, one after the other; fails if one costs other clients too much
	python -m loadtests siege $(SIEGE)

million: $(INSTALLED_TEST) ## a million requests about 3x3; fails if a worker grows
	python -m loadtests million $(MILLION)

bench: $(INSTALLED_TEST) ## throughput, latency, start and memory beside a FastAPI twin and Flask; fails if a budget is missed
	python -m loadtests bench $(BENCH)

bench-connect-four: $(INSTALLED_TEST) ## Connect Four: another solver, HTTP, batches, labels; fails if a budget is missed
	python -m loadtests bench-connect-four $(CONNECT_FOUR)

bench-proofs: $(INSTALLED_TEST) ## large boards without gravity: what is proven in time; fails if a budget is missed
	python -m loadtests proofs $(PROOFS)

book: $(INSTALLED_TEST) ## build the books of the package again; fails if a byte differs
	move-oracle book build connect-four --output build/connect-four.book
	cmp build/connect-four.book service/book/data/connect-four.book
	move-oracle book build qubic --strategy --output build/qubic.book
	cmp build/qubic.book service/book/data/qubic.book
	move-oracle book check build/qubic.book --samples 1000
	move-oracle book build --rows 4 --columns 9 --in-a-row 4 --strategy --output build/custom-580e1a77a19a.book
	cmp build/custom-580e1a77a19a.book service/book/data/custom-580e1a77a19a.book
	move-oracle book build --rows 9 --columns 4 --in-a-row 4 --strategy --output build/custom-5d54aabf8d63.book
	cmp build/custom-5d54aabf8d63.book service/book/data/custom-5d54aabf8d63.book
	move-oracle book build five-in-a-row-8x8 --holding --output build/five-in-a-row-8x8.book
	cmp build/five-in-a-row-8x8.book service/book/data/five-in-a-row-8x8.book
	move-oracle book check build/five-in-a-row-8x8.book --samples 10

bench-strength: $(INSTALLED_TEST) ## answers that are not proven: openings, estimates, matches; fails if a budget is missed
	python -m loadtests strength $(STRENGTH)

image: $(INSTALLED_TEST) ## run and check the steps of the Dockerfile, without Docker
	IMAGE_PROOF=1 pytest tests/deploy/test_image.py

lock: $(INSTALLED_TEST) ## resolve the dependencies again and pin them with hashes
	uv pip compile -q --universal --python-version 3.11 --generate-hashes --no-header --no-emit-index-url \
		-o requirements-uv.lock --group pyproject.toml:install
	uv pip compile -q --universal --python-version 3.11 --generate-hashes --no-header --no-emit-index-url \
		-o requirements.lock pyproject.toml --extra mcp --extra redis --group pyproject.toml:build
	uv pip compile -q --universal --python-version 3.11 --generate-hashes --no-header --no-emit-index-url \
		-c requirements.lock -o requirements-build.lock --group pyproject.toml:build
	uv pip compile -q --universal --python-version 3.11 --generate-hashes --no-header --no-emit-index-url \
		-c requirements.lock -o requirements-docs.lock --group pyproject.toml:docs
	uv pip compile -q --universal --python-version 3.11 --generate-hashes --no-header --no-emit-index-url \
		-c requirements.lock -c requirements-docs.lock -o requirements-test.lock pyproject.toml --extra mcp --extra redis \
		--group pyproject.toml:build --group pyproject.toml:test --group pyproject.toml:bench
	uv pip compile -q --universal --python-version 3.11 --generate-hashes --no-header --no-emit-index-url \
		-c requirements.lock -c requirements-test.lock -o requirements-examples.lock --group pyproject.toml:examples

clean: ## remove what the other commands made
	rm -rf $(VENV) service/guide service/web/minified build dist *.egg-info .coverage* .hypothesis .mypy_cache .pytest_cache .ruff_cache .import_linter_cache

# Where PYTHON has a pip that installs from outside (22.3 or newer), the environment needs none of its own, which saves 3 s.
$(VENV)/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Move Oracle needs Python 3.11 or newer, but $(PYTHON) is %d.%d. Name another one: make install PYTHON=python3.12" % sys.version_info[:2])'
	@echo "Installing into $(VENV), some 25 s on two cores ..."
	@python=$$(command -v $(PYTHON)); \
	"$$python" -m venv --without-pip $(VENV) || { rm -rf $(VENV); exit 1; }; \
	if "$$python" -m pip --python $@ --version >/dev/null 2>&1; then \
		printf '#!/bin/sh\nexec "%s" -m pip --python "%s" "$$@"\n' "$$python" "$(CURDIR)/$@" >$(BIN)/pip; \
		chmod +x $(BIN)/pip; \
	else \
		$@ -m ensurepip --default-pip >/dev/null; \
	fi

$(BUILD_TOOLS): requirements-build.lock | $(VENV)/bin/python
	@command -v uv >/dev/null || $(PIP) --require-hashes -r requirements-uv.lock || echo "There is no uv, so pip installs all."
	@$(call INSTALL,--require-hashes -r requirements-build.lock)
	@touch $@

$(LIBRARIES): requirements.lock | $(BUILD_TOOLS)
	@$(call INSTALL,--require-hashes -r requirements.lock)
	@touch $@

$(PACKAGE): export COMPILE := no
$(PACKAGE): pyproject.toml | $(LIBRARIES)
	@$(call INSTALL,--no-build-isolation -e .)
	@touch $@

# Only what has changed is compiled; all of it if setup.py has, or what is written in C, whose users Cython does not all find.
ALL := setup.py $(IN_C)
$(COMPILED): setup.py $(SOURCES) $(BUILD_TOOLS)
	@echo "Compiling the search ..."
	@$(COMPILER) $(if $(filter $(ALL),$?),CYTHON_FORCE_REGEN=1) python setup.py -q build_ext --inplace $(if $(filter $(ALL),$?),--force)
	@touch $@

# The pages are larger and do the same where they cannot be made small.
$(MINIFIED): $(PAGES) $(BUILD_TOOLS)
	@python -m service.web.build || echo "The files of the pages were not made small."
	@touch $@

# Compiles while it installs.
$(INSTALLED): pyproject.toml requirements.lock setup.py $(SOURCES) | $(BUILD_TOOLS)
	@$(MAKE) --silent --jobs 2 $(PACKAGE) $(COMPILED) $(MINIFIED)
	@touch $@

$(INSTALLED_DOCS): requirements-docs.lock $(INSTALLED)
	@echo "Installing what builds the documentation ..."
	@$(call INSTALL,--require-hashes -r requirements-docs.lock)
	@touch $@

$(INSTALLED_TEST): requirements-test.lock $(INSTALLED)
	@echo "Installing what the tests need ..."
	@python -m pip --version >/dev/null 2>&1 || python -m ensurepip >/dev/null
	@$(call INSTALL,--require-hashes -r requirements-test.lock)
	@touch $@

$(INSTALLED_EXAMPLES): requirements-examples.lock $(INSTALLED_TEST)
	@echo "Installing what some examples need ..."
	@$(INSTALL) --require-hashes -r requirements-examples.lock
	@touch $@
