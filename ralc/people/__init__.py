"""The human benchmark: any reader of confidence against what people read (paper section 5.1, human benchmark).

`human_benchmark` measures, `benchmark_points` gives what the scatter figure shows, `benchmark_texts` the texts
that a reader must have read first. The rows of the packaged readers are committed (`load_committed`), since the
studies are not; ``python -m studies --data DIR`` writes them anew.
"""

import lazy_loader as lazy

__getattr__, __dir__, __all__ = lazy.attach(
    __name__,
    submod_attrs={
        "carried": ["load_committed", "with_committed"],
        "points": ["benchmark_points"],
        "yardsticks": ["benchmark_texts", "human_benchmark", "reliability"],
    },
)
