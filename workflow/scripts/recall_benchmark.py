"""Take the committed rows of the human benchmark."""

from ralc import benchmark, io

io.log_to(snakemake.log[0])
rows = benchmark.load_committed("benchmark")
io.write_table(benchmark.with_committed(rows, "beforehand"), snakemake.output.benchmark, "benchmark")
io.write_table(benchmark.load_committed("benchmark_points"), snakemake.output.points, "benchmark_points")
