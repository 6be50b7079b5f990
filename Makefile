# Named tasks. Each sets itself up: `make demo` and `make test` are all that a fresh machine needs.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
RUNTIME := $(VENV)/.runtime
READY := $(VENV)/.ready
# Without the client that its wheel brings along; the tests have one of their own.
SOURCES := --no-binary claude-agent-sdk

# Of each world that `make simulations` draws.
SEEDS ?= 4000

# Two a core: much of the suite waits for processes.
WORKERS := $(shell echo $$((2 * $$(getconf _NPROCESSORS_ONLN))))

# The suite starts many processes: what they import, and what pytest rewrites, is compiled once.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.PHONY: help demo test lint fix e2e sessions hosts browser team team-demo full bench quality simulations setup dist sbom weight clean

help: ## list the tasks
	@grep -E '^[a-z0-9-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:[^#]*## /\t/' | expand -t 12

setup: $(READY) ## make .venv with everything that the tasks need

# What Compass itself needs to run. No tool of its developers can keep `make demo` from it.
$(RUNTIME): pyproject.toml
	@if command -v uv >/dev/null 2>&1; then \
	  uv venv -q --allow-existing --python $(if $(filter python3,$(PYTHON)),'>=3.11',$(PYTHON)) $(VENV) && uv pip install -q --python $(BIN)/python -e .; \
	else \
	  $(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Compass needs Python 3.11 or newer; set PYTHON=...")' && \
	  $(PYTHON) -m venv $(VENV) && \
	  $(BIN)/python -m pip install -q --disable-pip-version-check -e .; \
	fi
	@touch $@

$(READY): $(RUNTIME)
	@if command -v uv >/dev/null 2>&1; then \
	  uv pip install -q --python $(BIN)/python $(SOURCES) -e '.[languages]' --group dev; \
	else \
	  $(BIN)/python -m pip install -q --disable-pip-version-check 'pip>=25.1' && \
	  $(BIN)/python -m pip install -q --disable-pip-version-check $(SOURCES) -e '.[languages]' --group dev; \
	fi
	@touch $@

demo: $(RUNTIME) ## judge the shipped example exchanges: no key, no network
	@$(BIN)/compass demo

test: $(READY) ## unit, property, contract and golden tests
	@$(BIN)/python -m compileall -q compass hooks evaluator calibration
	$(BIN)/python -m pytest -q -n $(WORKERS) --dist worksteal tests $(addprefix --ignore tests/,full team e2e browser)

# Of `make test` what another Python may take otherwise: databases, sockets and processes, files and their errors, what is parsed.
ELSEWHERE := tests/contract tests/golden tests/property \
  $(addprefix tests/unit/,configuration doctor exchange hook memory service state transcript)

.PHONY: pythons elsewhere
pythons: ## that part of `make test` on every other Python from 3.12 to 3.14 that is found here; PYTHONS=paths for these
	@found=$$(.ci/pythons); [ -n "$$found" ] || echo 'pythons: no other Python from 3.12 to 3.14 here, nothing run'; \
	for python in $$found; do \
	  version=$$($$python -c 'import sys; print("%d.%d" % sys.version_info[:2])') && echo "pythons: $$version, $$python" && \
	  $(MAKE) elsewhere PYTHON=$$python VENV=build/python-$$version || exit 1; \
	done

elsewhere: $(READY)
	$(BIN)/python -m pytest -q -n $(WORKERS) --dist worksteal $(ELSEWHERE) --ignore tests/unit/service/team

lint: $(READY) ## lint, formatting, types, import contracts
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/pyright
	$(BIN)/lint-imports
	$(BIN)/zizmor --quiet --offline --pedantic .github
	$(BIN)/check-jsonschema --builtin-schema vendor.github-workflows .github/workflows/*.yml
	$(BIN)/shellcheck deploy/*.sh
	$(BIN)/hadolint deploy/Containerfile
	$(BIN)/check-jsonschema --builtin-schema vendor.compose-spec deploy/compose.yaml
	@PATH="$(CURDIR)/$(BIN):$$PATH"; if command -v actionlint >/dev/null; then echo actionlint; actionlint; \
	else echo 'actionlint: not installed, not run (docs/ci.md)'; fi

fix: $(READY) ## let ruff mend what it can
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

.PHONY: docs
docs: $(READY) ## build the documentation site into build/site, links checked
	@NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs build -q --strict
	@echo 'The site is in build/site: open build/site/index.html in a browser.'

e2e: sessions hosts ## real sessions of every client against scripted models on loopback

sessions: $(READY) ## those of Claude Code
	$(BIN)/python tests/e2e/install_client.py
	$(BIN)/python -m pytest -q -n 4 -m e2e tests/e2e tests/contract --ignore tests/e2e/hosts

hosts: $(READY) ## those of the other agents; HOST=codex for one of them
	$(BIN)/python tests/e2e/install_client.py --host $(HOST)
	$(BIN)/python -m pytest -q -n 2 -m e2e $(if $(HOST),tests/e2e/hosts/test_$(HOST).py,tests/e2e/hosts)

browser: $(READY) ## the page of `compass ui` in a real Chromium; skipped by name where there is none
	$(BIN)/python -m pytest -q -rs -m browser tests/browser

team: $(READY) ## a team's evaluator as processes: PostgreSQL, three replicas, HAProxy; load, faults
	python3 tests/support/running/install.py postgres haproxy
	$(BIN)/python -m pytest -q -rs -m "team$(if $(SMOKE), and smoke)" tests/team

team-demo: $(READY) ## one held write through such an evaluator, from nothing: no key, no container
	@python3 tests/support/running/install.py postgres haproxy >/dev/null
	@PYTHONPATH=tests:tests/support $(BIN)/python tests/team/demo.py

full: test pythons lint ## all that can be shown here: tests, lint, benchmarks as tests, simulations, e2e, a team's evaluator, every dialogue, other clients
	$(BIN)/python -m pytest -q --benchmark-disable benchmarks
	$(MAKE) simulations
	$(MAKE) e2e
	$(MAKE) browser
	$(MAKE) team
	$(BIN)/python tests/e2e/install_client.py --version oldest --version latest
	$(BIN)/python -m pytest -q -rs -n $(WORKERS) --dist worksteal -m "full and not e2e and not team" tests --ignore tests/full --ignore tests/load
	$(BIN)/python -m pytest -q -rs -m full tests/full tests/load
	HYPOTHESIS_PROFILE=many $(BIN)/python -m pytest -q -n $(WORKERS) --dist worksteal tests/property

bench: $(READY) ## benchmarks with timing, as ratios beside the saved baseline
	@mkdir -p .benchmarks
	$(BIN)/python -m pytest -q --benchmark-only --benchmark-columns=median,ops,rounds --benchmark-json .benchmarks/run.json benchmarks
	$(BIN)/python benchmarks/compare.py .benchmarks/run.json

quality: $(READY) ## what rules hold of written cases, in one table
	@$(BIN)/python benchmarks/quality/rules.py

simulations: $(READY) ## the whole simulations of calibration, where the truth is known: some forty minutes; SEEDS=N for fewer
	nice $(BIN)/python benchmarks/quality/interval_simulation.py --projects $(SEEDS)
	nice $(BIN)/python benchmarks/quality/drift_simulation.py --years $(SEEDS) --runs $$(( ($(SEEDS) + 3) / 4 ))

dist: $(READY) ## the wheel and the source distribution, in dist/
	@rm -f dist/*.whl dist/*.tar.gz
	$(BIN)/python -m hatchling build -d dist

sbom: dist ## what the wheel depends on, as CycloneDX, in dist/
	@$(BIN)/python -m venv --clear --without-pip build/sbom
	@$(BIN)/python -m pip --python build/sbom/bin/python install -q --disable-pip-version-check dist/*.whl
	@sed "s/^dynamic = .*/version = \"$$($(BIN)/python -m hatchling version)\"/" pyproject.toml > build/sbom/pyproject.toml
	$(BIN)/cyclonedx-py environment --pyproject build/sbom/pyproject.toml --output-reproducible -o dist/compass-gate.cdx.json build/sbom/bin/python

weight: dist ## what the wheel and its dependencies weigh where they are installed
	@$(BIN)/python benchmarks/weight.py dist/*.whl

clean: ## remove the environment and caches
	rm -rf $(VENV) build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis .benchmarks
