#!/usr/bin/env bash
# Makes .venv-llama with llama-cpp-python, for `python -m tests.bench engine`: what a user would
# otherwise write is measured beside the embedded engine. Needs a C++ compiler; about 5 minutes.
set -euo pipefail
cd "$(dirname "$0")/.."
venv=.venv-llama
test -x "$venv/bin/python" || "${PYTHON:-python3}" -m venv "$venv"
"$venv/bin/python" -m pip --disable-pip-version-check -q install "llama-cpp-python==0.3.36"
"$venv/bin/python" -c 'import llama_cpp; print("made .venv-llama: llama-cpp-python", llama_cpp.__version__)'
