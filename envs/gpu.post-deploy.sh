#!/usr/bin/env bash
# Run by Snakemake inside the new environment, in the folder it was started in (the checkout): this package beside vLLM, whose version stays.
set -euo pipefail
python -m pip install --disable-pip-version-check -e '.[workflow,openai,entailment]' "vllm==$(python -c 'import importlib.metadata as m; print(m.version("vllm"))')"
