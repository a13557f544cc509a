"""Take the committed rows of the human benchmark."""

from ralc import benchmark, io

io.log_to(snakemake.log[0])
rows = benchmark.load_committed("benchmark").assign(measured="beforehand")
io.write_table(rows, snakemake.output.benchmark, "benchmark")
io.write_table(benchmark.load_committed("benchmark_points"), snakemake.output.points, "benchmark_points")
