"""The human benchmark: any evaluator of confidence against what people read (paper section 5.1).

`human_benchmark` measures, `benchmark_points` gives what the scatter figure shows, `benchmark_texts` the texts that
are read. The rows of the packaged evaluators are committed (`load_committed`), since the studies are not.
"""

from ralc.human_benchmark.benchmark import (
    benchmark_points,
    benchmark_texts,
    human_benchmark,
    load_committed,
    reliability,
    with_committed,
)

__all__ = [
    "benchmark_points",
    "benchmark_texts",
    "human_benchmark",
    "load_committed",
    "reliability",
    "with_committed",
]
