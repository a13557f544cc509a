"""Measure the readers against people."""

from pathlib import Path

import numpy as np

from ralc import benchmark, io

io.log_to(snakemake.log[0])
readings = io.read_table(snakemake.input.readings, "readings")
folder = Path(snakemake.input.data)
rng = np.random.default_rng(snakemake.params.seed)
rows = benchmark.human_benchmark(readings, folder, resamples=snakemake.params.resamples, rng=rng)
io.write_table(benchmark.with_committed(rows, "this run"), snakemake.output.benchmark, "benchmark")
io.write_table(benchmark.benchmark_points(readings, folder), snakemake.output.points, "benchmark_points")
