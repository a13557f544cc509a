"""How the evaluators of cues stand to people: rank correlation and correlation on the human studies.

It takes seconds, so that a rule of reading can be taken out and priced; `bench_plain` is about plain texts.
"""

from collections.abc import Iterator

import numpy as np

from ralc.human_benchmark import benchmark_texts, human_benchmark
from ralc.pipeline.text_readings import list_texts, read
from tests.bench.bench_labels import SHARED
from tests.bench.harness import Measurement

METRICS = ("spearman_mean", "pearson")


def run() -> Iterator[Measurement]:
    """Each study's correlations, by each reader of cues."""
    configured = {name: {"method": name} for name in ("cue_model", "cue_model_b")}
    listed = list_texts(benchmark_texts(SHARED))
    rows = human_benchmark(read(listed, configured), SHARED, resamples=2, rng=np.random.default_rng(0))
    for row in rows[rows["evaluator"].isin(configured) & rows["metric"].isin(METRICS)].itertuples():
        yield Measurement(
            f"{row.dataset}, {row.evaluator}: {row.metric}", round(row.value, 4), "", note=f"n = {row.n}"
        )
