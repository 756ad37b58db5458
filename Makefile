# Two commands for a newcomer: `make demo` and `make test`. `make help` lists the rest.

.DEFAULT_GOAL := help
.PHONY: help demo web browser servers spark screenshots test check soak fuzz bench lock docs site dist npm-is-missing audit clean

VENV := .venv
BIN := $(VENV)/bin
PEERS := .venv-peers
AUDIT := .venv-audit
SITE := .venv-site
ARCHIVES := .venv-archives
SPARK := .venv-spark
# The first interpreter that is new enough; `make demo PYTHON=/path/to/python3` overrules.
PYTHON ?= $(shell for p in python3 python3.14 python3.13 python3.12 python3.11; do \
	$$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && { echo $$p; break; }; done)
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet
# What CI insists on: a test that skips for want of one of these fails instead (`make test REQUIRE=suites`).
REQUIRE ?=
# Half of the time of all tests is waiting, so there are three of them at work for two cores.
JOBS ?= $(shell echo $$(( ($$(getconf _NPROCESSORS_ONLN) * 3 + 1) / 2 )))
ARGS ?=
# What moves in the pages is built with npm, where there is one; without it the pages stand still.
NPM := $(shell command -v npm 2>/dev/null)
BUILT := src/gossamer/web/static/built/.vite/manifest.json

help:  ## show this list
	@sed -n 's/^\([a-z]*\):.*## \(.*\)/  make \1\t\2/p' Makefile | expand -t 16

$(VENV)/.base: requirements.txt pyproject.toml
	@test -n "$(PYTHON)" || { echo "Gossamer needs Python 3.11 or newer; none was found. Install one, or name it: make PYTHON=/path/to/python3" >&2; exit 1; }
	@echo "setting up $(VENV) (once) ..." >&2
	@$(PYTHON) -m venv $(VENV) || { echo "Python cannot make a virtual environment here. On Debian or Ubuntu: apt install python3-venv" >&2; exit 1; }
	@$(PIP) install --require-hashes -r requirements.txt
	@$(PIP) install --no-deps --no-build-isolation -e .
	@touch $@

# uv installs the many packages of the tests in a third of pip's time; pip does where uv finds no index.
$(VENV)/.dev: $(VENV)/.base requirements-dev.txt
	@echo "adding the tools for tests and checks (once) ..." >&2
	@sed -n '/^uv==/,/[^\\]$$/p' requirements-dev.txt > $(VENV)/uv.txt
	@$(PIP) install --no-compile --require-hashes -r $(VENV)/uv.txt
	@$(BIN)/python -m uv pip install --quiet --require-hashes -r requirements-dev.txt 2>/dev/null || \
	  $(PIP) install --no-compile --require-hashes -r requirements-dev.txt
	@touch $@

demo: $(VENV)/.base  ## crawl a small web of our own and serve what was found (ONCE=1: stop after the crawl)
	@$(MAKE) --no-print-directory web || echo "What moves in the pages could not be built; they work without." >&2
	@$(BIN)/gossamer demo $(if $(ONCE),--once) $(ARGS)

web: $(if $(NPM),$(BUILT))  ## build what moves in the pages (with npm; quick when nothing has changed)
	@$(if $(NPM),:,echo "There is no npm here, so what moves in the pages is not built; they work without." >&2)

web/node_modules/.done: web/package-lock.json
	@echo "fetching the packages of web/ (once) ..." >&2
	@cd web && npm ci --ignore-scripts --no-audit --no-fund --loglevel=error >/dev/null
	@touch $@

$(BUILT): web/node_modules/.done $(wildcard web/*.ts web/*.json web/src/*.ts web/src/*.css)
	@cd web && npm run --silent build

browser: web  ## what the tests in a browser need: Chromium (installed where it is missing, as root on Debian)
	@command -v chromium >/dev/null || { \
	  test "$$(id -u)" = 0 || { echo "Chromium is missing. On Debian: sudo apt-get install chromium" >&2; exit 1; }; \
	  echo "installing Chromium (once) ..." >&2; \
	  apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends chromium >/dev/null; }

servers:  ## what some tests need: nginx, systemd-analyze, promtool, Virtuoso, Redis, libfaketime (installed where they are missing, as root on Debian)
	@tools/servers.sh

screenshots: $(VENV)/.dev browser  ## pictures of every page in build/screenshots (ARGS=--docs: those of docs/images)
	@$(BIN)/python tools/screenshots.py $(ARGS)

test: $(VENV)/.dev  ## run the tests at their small size, on all cores (JOBS=0: one after the other)
	@GOSSAMER_TEST_REQUIRE="$(REQUIRE)" $(BIN)/python -m pytest -n $(JOBS) --dist loadfile --no-loadscope-reorder --durations=25 $(ARGS)

$(VENV)/.soak: $(VENV)/.dev tests/sinks/requirements.txt
	@echo "adding dlt, which a recipe is for (once) ..." >&2
	@$(PIP) install --require-hashes -r tests/sinks/requirements.txt
	@touch $@

$(ARCHIVES)/.done: tests/archive/requirements.txt
	@echo "setting up $(ARCHIVES) with other readers of archives (once) ..." >&2
	@$(PYTHON) -m venv $(ARCHIVES)
	@$(ARCHIVES)/bin/python -m pip --disable-pip-version-check --quiet install --require-hashes -r $<
	@touch $@

$(SPARK)/.done: tests/spark/requirements.txt | $(VENV)/.dev
	@echo "setting up $(SPARK) with PySpark (once, 450 MB) ..." >&2
	@$(PYTHON) -m venv $(SPARK)
	@$(BIN)/python -m uv pip install --quiet --python $(SPARK)/bin/python --require-hashes -r $< 2>/dev/null || \
	  $(SPARK)/bin/python -m pip --disable-pip-version-check --quiet install --no-compile --require-hashes -r $<
	@touch $@

spark: $(SPARK)/.done  ## what the tests of Spark need: PySpark, and Java (installed where it is missing, as root on Debian)
	@command -v java >/dev/null || { \
	  test "$$(id -u)" = 0 || { echo "Java is missing. On Debian: sudo apt-get install openjdk-17-jre-headless" >&2; exit 1; }; \
	  echo "installing Java (once) ..." >&2; \
	  apt-get update -qq && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends openjdk-17-jre-headless >/dev/null; }

soak: $(VENV)/.soak $(ARCHIVES)/.done spark  ## run the same tests at full size, 200,000 pages among them (an hour or more)
	@GOSSAMER_TEST_REQUIRE="$(REQUIRE)" GOSSAMER_TEST_SIZE=full $(BIN)/python -m pytest --timeout=7200 $(ARGS)

fuzz: $(VENV)/.dev  ## damage pages of every syntax (SECONDS=10 each)
	@$(BIN)/python -m tests.fuzz.fuzz --seconds $(or $(SECONDS),10) $(ARGS)

check: $(VENV)/.dev  ## format, lint, types, and that docs and pins are up to date
	@$(BIN)/ruff format --check .
	@$(BIN)/ruff check .
	@$(BIN)/mypy
	@$(BIN)/python -m pytest -q tests/test_project.py tests/test_site.py
	@$(if $(NPM),$(MAKE) --no-print-directory web/node_modules/.done && cd web && npm run --silent check,:)

$(PEERS)/.done: bench/peers/requirements.txt
	@echo "setting up $(PEERS) with the crawlers we are measured beside (once) ..." >&2
	@$(PYTHON) -m venv $(PEERS)
	@$(PEERS)/bin/python -m pip --disable-pip-version-check --quiet install --require-hashes -r $<
	@touch $@

bench: $(VENV)/.dev $(PEERS)/.done  ## measure beside peers (ARGS=--quick for a minute each)
	@for b in bench/*.py; do echo "== $$b" >&2; $(BIN)/python $$b $(ARGS) || exit 1; done

lock: $(VENV)/.dev  ## pin dependencies anew after a change in pyproject.toml (ARGS=--upgrade: the newest of all)
	@$(BIN)/python tools/lock.py $(ARGS)

docs: $(VENV)/.dev  ## write the generated pages anew (options, events, conformance)
	@$(BIN)/python tools/generate_docs.py

$(SITE)/.done: tools/site/requirements.txt
	@echo "setting up $(SITE) (once) ..." >&2
	@$(PYTHON) -m venv $(SITE)
	@$(SITE)/bin/python -m pip --disable-pip-version-check --quiet install --require-hashes -r $<
	@touch $@

site: $(SITE)/.done  ## build the documentation as a site in dist/site, and check its links
	@$(SITE)/bin/python tools/site

dist: $(if $(NPM),,npm-is-missing) $(VENV)/.base web  ## build the wheel and the source archive in dist/, the same bytes each time
	@$(BIN)/python tools/dist.py

npm-is-missing:
	@echo "make dist needs npm: the wheel has to hold the scripts of the pages, which npm builds. Install Node.js 20.19 or newer, which brings it." >&2; exit 1

$(AUDIT)/.done: tools/audit/requirements.txt
	@echo "setting up $(AUDIT) (once) ..." >&2
	@$(PYTHON) -m venv $(AUDIT)
	@$(AUDIT)/bin/python -m pip --disable-pip-version-check --quiet install --require-hashes -r $<
	@touch $@

audit: $(VENV)/.dev $(AUDIT)/.done  ## known advisories of what we pin, and all parts with their licences (dist/)
	@$(AUDIT)/bin/python tools/audit

clean:  ## remove what make made
	rm -rf $(VENV) $(PEERS) $(AUDIT) $(SITE) $(ARCHIVES) $(SPARK) .site web/node_modules src/gossamer/web/static/built .mypy_cache .ruff_cache .pytest_cache .hypothesis bench/out
