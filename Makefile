# Everything runs in .venv, which these targets make themselves. Only Python >= 3.11 is needed.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PLACE := $(VENV)/.made
INSTALLED := $(VENV)/.installed
READY := $(VENV)/.ready
LOCK := constraints/tests.txt
TEST_CACHE := $(CURDIR)/.cache/test
BYTECODE := $(CURDIR)/.cache/bytecode
WORKERS ?= 2
HOURS ?= 2
SEED ?= 1
MINUTES ?= 30
CODE := src tests benchmarks examples tools
INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check
# Tests start hundreds of processes: their modules are compiled once, whatever the environment says.
KEEP := PYTHONDONTWRITEBYTECODE= PYTHONPYCACHEPREFIX=$(BYTECODE)
PYTEST := $(KEEP) $(BIN)/python -m pytest -n $(WORKERS) --dist loadfile --no-loadscope-reorder

DOCS_READY := $(VENV)/.docs-ready
FUZZ_READY := $(VENV)/.fuzz-ready
# What MkDocs would say about itself at every start.
MKDOCS := NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs

.PHONY: demo test sizes test-cold test-long test-full bench soak fuzz mutants docs docs-serve lock lint clean

demo: $(INSTALLED)
	@$(BIN)/python -P tools/demo.py

# Kernels are kept from run to run, under digests of all that they are made of. Types are checked
# beside the tests, which leave a core idle now and then.
test: $(READY)
	$(BIN)/ruff check $(CODE)
	$(BIN)/mypy & types=$$!; ZERMELO_CACHE=$(TEST_CACHE) $(PYTEST) -m "not full and not long"; \
	tests=$$?; wait $$types && exit $$tests

test-cold:
	rm -rf $(TEST_CACHE)
	$(MAKE) test

# What takes long and is touched by a shorter test too. CI runs it after the tests.
test-long: $(READY)
	ZERMELO_CACHE=$(TEST_CACHE) $(PYTEST) -m "long and not full"

# The long checks: all of it again with a warm cache and the tests marked full, the games and the
# command line as plain Python (with coverage, which can't see compiled lines), and the kernels with
# bounds checking. ZERMELO_DATA=directory adds the checks that need the papers' position files.
GAMES := connect_four othello hex p_game k_in_a_row lines_of_action xiangqi
PLAIN_TESTS := $(GAMES:%=tests/games/test_%.py) tests/games/test_conformance.py tests/cli/test_cli.py \
	tests/core/test_bad_games.py
CHECKED_TESTS := tests/games/test_conformance.py \
	$(addprefix tests/search/test_,driver.py published.py brute_force.py)

test-full: test
	ZERMELO_CACHE=$(TEST_CACHE) $(PYTEST)
	NUMBA_DISABLE_JIT=1 $(BIN)/python -m coverage run -m pytest $(PLAIN_TESTS)
	$(BIN)/python -m coverage report
	NUMBA_BOUNDSCHECK=1 ZERMELO_CACHE=$(CURDIR)/.cache/bounds $(PYTEST) -m "not full" $(CHECKED_TESTS)
	$(MAKE) docs

bench: $(READY)
	$(BIN)/python -m benchmarks.bench

# Random cases of everything against independent answers; stops at the first difference.
soak: $(READY)
	$(BIN)/python -m benchmarks.soak --hours $(HOURS) --workers $(WORKERS) --seed $(SEED)

# Inputs for all readers, guided by coverage (Linux): MINUTES for each, or for TARGET=name alone.
fuzz: $(FUZZ_READY)
	$(BIN)/python -m benchmarks.fuzz --minutes $(MINUTES) --seed $(SEED) $(TARGET:%=--target %)

# Changes of the checker of certificates that no test notices: hours for all of it, or FILES alone.
mutants: $(READY)
	ZERMELO_CACHE=$(TEST_CACHE) $(BIN)/python -m tools.mutation $(FILES)

# The documentation as a site, in site/: open site/index.html. Links that lead nowhere are errors.
docs: $(DOCS_READY)
	$(MKDOCS) build --strict

# The same at http://127.0.0.1:8000, made anew whenever a page changes.
docs-serve: $(DOCS_READY)
	$(MKDOCS) serve

# The versions and hashes of all packages that the tests need, the newest that pyproject.toml allows.
lock: $(READY)
	$(INSTALL) uv
	printf 'hatchling\neditables\n' | $(BIN)/uv pip compile --quiet --no-header --upgrade --universal \
	--python-version 3.11 --generate-hashes --extra dev --extra oracles \
	pyproject.toml - -o $(LOCK)

# Lines and files of each package, as on docs/explanation/architecture.md.
sizes:
	@$(PYTHON) -m tools.sizes

lint: $(READY)
	$(BIN)/ruff check $(CODE)
	$(BIN)/mypy

clean:
	rm -rf $(VENV) .cache site

$(PLACE):
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Zermelo needs Python 3.11 or newer")'
	$(PYTHON) -m venv $(VENV)
	@touch $(PLACE)

# What a user gets.
$(INSTALLED): $(PLACE) pyproject.toml
	$(INSTALL) -e ".[web]"
	@touch $(INSTALLED)

# What the tests need, with fixed versions and hashes; modules are compiled when they are first
# imported, which few of them are.
$(READY): $(PLACE) pyproject.toml $(LOCK)
	$(INSTALL) --no-compile --require-hashes -r $(LOCK)
	$(INSTALL) --no-deps --no-build-isolation -e .
	@touch $(INSTALLED) $(READY)

$(FUZZ_READY): $(READY)
	$(INSTALL) -e ".[fuzz]"
	@touch $(FUZZ_READY)

$(DOCS_READY): $(READY)
	$(INSTALL) -e ".[docs]"
	@touch $(DOCS_READY)
