"""Measure the evaluators against people."""

from pathlib import Path

import numpy as np

from ralc import human_benchmark, io

io.log_to(snakemake.log[0])
readings = io.read_tables(snakemake.input.readings, "readings")
params = snakemake.params
folder = Path(snakemake.input.data)
rng = np.random.default_rng(params.seed)
rows = human_benchmark.human_benchmark(readings, folder, params.studies, resamples=params.resamples, rng=rng)
io.write_table(
    human_benchmark.with_committed(rows, "this run"), snakemake.output.human_benchmark, "human_benchmark"
)
io.write_table(
    human_benchmark.benchmark_points(readings, folder, params.studies),
    snakemake.output.points,
    "human_benchmark_points",
)
