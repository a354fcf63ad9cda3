# Needs make and Python 3.11 or newer; the rest goes into .venv. Another Python: make PYTHON=python3.13 demo

PYTHON ?= python3
BIN := .venv/bin
PYTEST := $(BIN)/pytest --quiet -n auto --dist worksteal

.PHONY: demo test lint bench clean

demo: .venv/.ok
	for game in nantong paohuzi; do \
		$(BIN)/longcards simulate $$game --agents greedy,greedy,random --deals 200000 --seed 1 \
			--out runs/demo-$$game --overwrite || exit 1; \
	done

# One process fills the compile cache first: workers that start cold would each compile everything.
# Jitted lines are invisible to coverage, so the tests marked nojit run once more without jit.
test: .venv/.ok
	NUMBA_BOUNDSCHECK=1 $(BIN)/python -m experiments.warm
	NUMBA_BOUNDSCHECK=1 $(PYTEST)
	NUMBA_DISABLE_JIT=1 $(PYTEST) -m nojit --cov

lint: .venv/.ok
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy

bench: .venv/.ok
	$(BIN)/longcards bench

# Keeps runs/, which holds results.
clean:
	rm -rf .venv build dist *.egg-info .coverage .coverage.* .hypothesis .mypy_cache .pytest_cache .ruff_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# -qq hides progress and pip's notices; errors still show.
.venv/.ok: pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.version_info >= (3, 11) or sys.exit("longcards needs Python 3.11 or newer; name one by PYTHON=...")'
	@echo "Setting up .venv (once; PyTorch is large)"
	@$(PYTHON) -m venv .venv
	@$(BIN)/pip install -qq --no-input -c constraints.txt -e '.[dev]'
	@touch $@
