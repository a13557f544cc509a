"""What names a model in a request's key: all of its entry that can change which answers are probable.

- What it is: its name, the exact version of its weights, and what it is loaded with (`LOADED_WITH`).
- ``engine_args``, but for those of `NO_ANSWER_DEPENDS_ON`: an argument that nobody thought of here (rope
  scaling, a draft model, a chat template) rather costs calls than mixes the answers of two models.
- A server's address, since a server's name for a model is a name only there (``default``, or one name for two
  quantisations). Whoever gives a ``revision`` says which weights these are: then the address is left out,
  and what was answered is used wherever the model is served.

Sampling parameters are in the request itself. The longest context is left out: more of it changes no answer that
there was room for. Concurrency, time-outs, budgets and devices say how answers come, not which.
"""

import json
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any
from urllib.parse import urlsplit

LOADED_WITH = ("dtype", "quantization", "thinking", "reasoning_tokens")

#: The engines, and arguments of each that say how much memory is taken, how requests are put together, where work is
#: done and what is logged. They may change the order in which sums are formed, as does any other batch, but never the
#: distribution that answers are drawn from. (The embedded engine repeats its answers to the bit, so there what
#: changes the sums counts, too.)
NO_ANSWER_DEPENDS_ON: Mapping[str, frozenset[str]] = MappingProxyType(
    {
        "embedded": frozenset({"use_mlock", "use_mmap", "verbosity"}),
        "openai": frozenset({"metadata", "priority", "safety_identifier", "service_tier", "store", "user"}),
        "vllm": frozenset(
            {
                "async_scheduling",
                "block_size",
                "compilation_config",
                "cpu_offload_gb",
                "data_parallel_size",
                "disable_custom_all_reduce",
                "disable_log_stats",
                "distributed_executor_backend",
                "download_dir",
                "enable_chunked_prefill",
                "enable_expert_parallel",
                "enable_prefix_caching",
                "enforce_eager",
                "gpu_memory_utilization",
                "kv_cache_memory_bytes",
                "max_num_batched_tokens",
                "max_num_seqs",
                "max_parallel_loading_workers",
                "pipeline_parallel_size",
                "scheduling_policy",
                "swap_space",
            }
        ),
        "recorded": frozenset(),
        "entailment": frozenset({"attn_implementation", "device_map", "low_cpu_mem_usage"}),
    }
)


def identity(
    engine: str,
    model: str,
    revision: str | None,
    base_url: str | None,
    changed: Sequence[str],
    engine_args: Mapping[str, Any],
) -> str:
    """Return the name of a model in requests.

    `changed` says what it is loaded with other than by default. The address counts without scheme and last slash.

    >>> identity("openai", "qwen3-8b", None, "http://gpu7:8000/v1/", [], {"user": "me"})
    'qwen3-8b at gpu7:8000/v1'
    >>> identity("openai", "qwen3-8b", "bf16", "http://gpu7:8000/v1/", [], {"reasoning_effort": "high"})
    'qwen3-8b@bf16 engine_args={"reasoning_effort": "high"}'
    """
    parts = [f"{model}@{revision}" if revision else model]
    if base_url and not revision:
        place = urlsplit(base_url)
        parts.append(f"at {place.netloc.lower()}{place.path.rstrip('/')}")
    harmless = NO_ANSWER_DEPENDS_ON[engine]
    told = {key: value for key, value in engine_args.items() if key not in harmless}
    told_text = [f"engine_args={json.dumps(told, sort_keys=True)}"] if told else []
    return " ".join([*parts, *changed, *told_text])
