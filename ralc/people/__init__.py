"""The human benchmark: any reader of confidence against what people read (paper section 5.1, human benchmark).

`human_benchmark` measures, `benchmark_points` gives what the scatter figure shows, `benchmark_texts` the texts
that a reader must have read first. The rows of the packaged readers are committed (`load_committed`), since the
studies are not; ``python -m ralc.people --data DIR`` writes them anew.
"""

from ralc.people.committed import load_committed, with_committed
from ralc.people.points import benchmark_points
from ralc.people.yardsticks import benchmark_texts, human_benchmark, reliability

__all__ = [
    "benchmark_points",
    "benchmark_texts",
    "human_benchmark",
    "load_committed",
    "reliability",
    "with_committed",
]
