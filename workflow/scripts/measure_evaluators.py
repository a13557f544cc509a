"""Measure the evaluators against people."""

from pathlib import Path

import numpy as np

from ralc import io
from ralc.human_benchmark import benchmark

io.log_to(snakemake.log[0])
readings = io.read_tables(snakemake.input.readings, "readings")
params = snakemake.params
folder = Path(snakemake.input.data)
rng = np.random.default_rng(params.seed)
rows = benchmark.human_benchmark(readings, folder, params.studies, resamples=params.resamples, rng=rng)
io.write_table(
    benchmark.with_committed(rows, "this run"), snakemake.output.human_benchmark, "human_benchmark"
)
io.write_table(
    benchmark.benchmark_points(readings, folder, params.studies),
    snakemake.output.points,
    "human_benchmark_points",
)
