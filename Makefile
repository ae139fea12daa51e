# make demo, make test: each makes the environment first. Needs Python 3.11 or newer and nothing else.
PYTHON ?= $(shell for p in python3.11 python3.12 python3.13 python3; do \
	$$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $$p && break; done)
VENV := .venv
BIN := $(VENV)/bin
BENCH := .venv-bench
FUZZ := .venv-fuzz
LANGUAGE_OPTION := $(if $(ADVISOR_LANG),--lang $(ADVISOR_LANG))

.PHONY: demo test lint calibrate bench large soak lock wheel clean screenshots durability fuzz licences sbom bundle

demo: $(VENV)/.run
	@$(BIN)/advisor demo $(LANGUAGE_OPTION)

test: $(VENV)/.test
	$(BIN)/python -m pytest -n 2

lint: $(VENV)/.test
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

# Versions are pinned with hashes; names and versions only, so that any index serves.
$(VENV)/.run: requirements.lock pyproject.toml | $(VENV)/bin/python
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements.lock
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --no-index -e .
	@touch $@

$(VENV)/.test: requirements-test.lock pyproject.toml | $(VENV)/bin/python
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements-test.lock
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --no-index -e .
	@touch $@ $(VENV)/.run

$(VENV)/bin/python:
	@if [ -z "$(PYTHON)" ]; then echo "Fabric Advisor needs Python 3.11 or newer: install it, or say where it is: make demo PYTHON=/path/to/python3.11" >&2; exit 1; fi
	@$(PYTHON) -m venv $(VENV) || { rm -rf $(VENV); echo "$(PYTHON) cannot make an environment: install its venv module (Debian: apt install python3-venv)" >&2; exit 1; }

lock: $(VENV)/bin/python
	$(BIN)/python -m pip install --quiet uv
	$(BIN)/uv pip compile pyproject.toml --extra build --universal --python-version 3.11 --generate-hashes --no-header --no-annotate -q -o requirements.lock
	$(BIN)/uv pip compile pyproject.toml --extra build --extra test --universal --python-version 3.11 --generate-hashes --no-header --no-annotate -q -o requirements-test.lock
	$(BIN)/uv pip compile pyproject.toml --extra build --extra serve --universal --python-version 3.11 --generate-hashes --no-header --no-annotate -q -o requirements-serve.lock
	$(BIN)/uv pip compile pyproject.toml --extra fuzz --universal --python-version 3.11 --generate-hashes --no-header --no-annotate -q -o requirements-fuzz.lock
	$(BIN)/uv pip compile pyproject.toml --extra bench --universal --python-version 3.11 --generate-hashes --no-header --no-annotate -q -o requirements-bench.lock

# Judges synthetic sites of known truth and writes the figures into docs/design.md; ends with 1 where a figure that must be reached is missed.
calibrate: $(VENV)/.test
	$(BIN)/python -m tests.synthetic.calibrate

# Our readers and our model beside other projects, which stand in an environment of their own. Fails on ratios, never on seconds.
bench: $(BENCH)/.run
	@$(BENCH)/bin/python -m tests.benchmarks

# Imports of 1,000 nodes beside insights-core, and 10,000 nodes from captures to the report: minutes to an hour, 20 GB of disk.
large: $(BENCH)/.run
	@$(BENCH)/bin/python -m tests.benchmarks.archive
	@$(BENCH)/bin/python -m tests.benchmarks.growth

# Eight hours of use in ten minutes; memory must not grow by a tenth.
soak: $(VENV)/.test
	@$(BIN)/python -m tests.benchmarks.soak

$(BENCH)/.run: requirements-bench.lock | $(VENV)/bin/python
	@$(VENV)/bin/python -m venv $(BENCH)
	@$(BENCH)/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements-bench.lock
	@touch $@

# Kills its own programs at 200 random moments and takes the power away 400 times; ends with 1 where anything confirmed is lost.
durability: $(VENV)/.test
	$(BIN)/python -m tests.durability

# Fuzzes every door of input, guided by the branches that it reaches (atheris), FUZZ_S seconds each; what breaks one is kept in tests/fuzz/crashers.
FUZZ_S := 600
fuzz: $(FUZZ)/.run
	@for door in whole reader site intake; do $(FUZZ)/bin/python -m tests.fuzz $$door --seconds $(FUZZ_S) || exit 1; done

$(FUZZ)/.run: requirements-fuzz.lock | $(VENV)/bin/python
	@$(VENV)/bin/python -m venv $(FUZZ)
	@$(FUZZ)/bin/python -m pip install --quiet --disable-pip-version-check --require-hashes -r requirements-fuzz.lock
	@touch $@

licences: $(VENV)/.run
	$(BIN)/python -m scripts.licences

sbom: $(VENV)/.run
	@mkdir -p dist
	$(BIN)/python -m scripts.sbom dist/sbom.cdx.json

# One file for machines without network (BUNDLE="--for linux-x86_64 --python 3.11" makes it smaller), installed and run without network.
bundle: $(VENV)/.run
	$(BIN)/python -m scripts.bundle $(BUNDLE)
	$(BIN)/python -m scripts.try_bundle dist/fabric-advisor-*.zip

wheel: $(VENV)/.run
	$(BIN)/python -c "from hatchling.build import build_wheel; print(build_wheel('dist'))"

screenshots: $(VENV)/.test
	$(BIN)/python screenshots/take.py

clean:
	rm -rf $(VENV) $(BENCH) $(FUZZ) dist build
