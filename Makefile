# The only commands a person needs. Each one first brings .venv up to date, which takes a moment
# when nothing changed; packaging/wheel/README.md says what happens the first time.

PYTHON ?= python3
ARGS ?=
BIN := .venv/bin
setup := $(PYTHON) packaging/wheel/install.py

.PHONY: run test lint bench performance bench-ui screenshots peer offload package package-test clean

# Start Foreword. `make run ARGS="chat --help"` passes arguments on.
run:
	@$(setup)
	@exec $(BIN)/foreword $(ARGS)

# Everything CI checks: the static checks, the unit tests, then the tests with the real pair.
test: lint
	@$(BIN)/python -m tests $(ARGS)

# Style, types and the layering.
lint:
	@$(setup) --test
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/mypy
	@$(BIN)/lint-imports

# Measure a pair: `make bench ARGS="--gamma 0 3 7 --json -"`; `foreword bench --help` says what else.
bench:
	@$(setup)
	@exec $(BIN)/foreword bench $(ARGS)

# Measure this machine, against llama.cpp's own programs (`make peer`), and rewrite the figures in
# docs/: about an hour in all, said beforehand. `make performance ARGS="plain sampled"` does some.
performance:
	@$(setup) --test
	@$(BIN)/python -m tests.performance $(ARGS)

# Measure the window alone: its frames, its start, its memory, and what it costs the engine.
# `make performance ARGS=window` does the same and rewrites the figures in docs/.
bench-ui:
	@$(setup) --test
	@$(BIN)/python -m tests.performance.ui_chat
	@$(BIN)/python -m tests.performance.ui_panel
	@$(BIN)/python -m tests.performance.ui_window $(ARGS)

# Take the pictures in docs/images anew, with the real engine. Nothing else should compute.
screenshots:
	@$(setup) --test
	@$(BIN)/python -m tests.screenshots $(ARGS)

# Build llama.cpp's own programs from the same sources.
peer:
	@$(setup)
	@$(PYTHON) packaging/wheel/peer.py

# Build llama.cpp once more with a backend that makes a GPU of another process, and test with it.
offload:
	@$(setup) --test
	@$(PYTHON) packaging/wheel/offload.py
	@$(BIN)/python -m pytest tests/offload $(ARGS)

# Build the packages for this system into dist/: packaging/README.md says which.
package:
	@$(setup) --package
	@$(BIN)/python packaging/linux/package.py

# Build them, install the .deb in a system of its own, use it there and remove it again.
package-test: package
	@$(setup) --test
	@$(BIN)/python packaging/linux/trial.py $(ARGS)

# Remove what was made in this folder. The compiled wheel and the models stay in the user's folders.
clean:
	@rm -rf .venv build dist .hypothesis .import_linter_cache .mypy_cache .pytest_cache .ruff_cache
	@find . -name __pycache__ -type d -prune -exec rm -rf {} +
