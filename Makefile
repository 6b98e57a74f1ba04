# The only commands a person needs. Each one first brings .venv up to date, which takes a moment
# when nothing changed; packaging/wheel/README.md says what happens the first time.

PYTHON ?= python3
ARGS ?=
BIN := .venv/bin
setup := $(PYTHON) packaging/wheel/install.py

.PHONY: run test lint bench bench-ui screenshots peer clean

# Start Foreword. `make run ARGS="chat --help"` passes arguments on.
run:
	@$(setup)
	@exec $(BIN)/foreword $(ARGS)

# Everything CI checks: the static checks, the unit tests, then the tests with the real pair.
test: lint
	@$(BIN)/python -m pytest $(ARGS)

# Style, types and the layering.
lint:
	@$(setup) --test
	@$(BIN)/ruff check .
	@$(BIN)/ruff format --check .
	@$(BIN)/mypy
	@$(BIN)/lint-imports

# Measure this machine, against llama.cpp's own programs where `make peer` has built them.
bench:
	@$(setup) --test
	@$(BIN)/python -m tests.performance $(ARGS)

# Measure the window: its frames, its start, its memory, and what it costs the engine.
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

# Remove what was made in this folder. The compiled wheel and the models stay in the user's folders.
clean:
	@rm -rf .venv build dist .hypothesis .import_linter_cache .mypy_cache .pytest_cache .ruff_cache
	@find . -name __pycache__ -type d -prune -exec rm -rf {} +
