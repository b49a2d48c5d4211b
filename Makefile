# Everything runs in .venv, which these targets make themselves. Only Python >= 3.11 is needed.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
TEST_CACHE := $(CURDIR)/.cache/test
WORKERS ?= 2

.PHONY: demo test test-full bench lint clean

demo: $(READY)
	@$(BIN)/python -m zermelo.demo

test: $(READY)
	$(BIN)/ruff check src tests benchmarks examples
	$(BIN)/mypy
	rm -rf $(TEST_CACHE)
	ZERMELO_CACHE=$(TEST_CACHE) $(BIN)/python -m pytest -n $(WORKERS) --dist loadgroup -m "not full"

# The long checks: everything again with a warm cache, without the JIT, and with bounds checking.
test-full: test
	ZERMELO_CACHE=$(TEST_CACHE) $(BIN)/python -m pytest -n $(WORKERS) --dist loadgroup
	NUMBA_DISABLE_JIT=1 $(BIN)/python -m coverage run -m pytest -m "not full" tests/jit_off
	$(BIN)/python -m coverage report
	NUMBA_BOUNDSCHECK=1 ZERMELO_CACHE=$(CURDIR)/.cache/bounds \
		$(BIN)/python -m pytest -n $(WORKERS) --dist loadgroup -m "not full"

bench: $(READY)
	$(BIN)/python -m benchmarks.bench

lint: $(READY)
	$(BIN)/ruff check src tests benchmarks examples
	$(BIN)/mypy

clean:
	rm -rf $(VENV) .cache

$(READY): pyproject.toml
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "Zermelo needs Python 3.11 or newer")'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade pip
	$(BIN)/python -m pip install --quiet -e ".[dev,oracles]"
	@touch $(READY)
