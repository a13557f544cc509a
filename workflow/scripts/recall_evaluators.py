"""Take the committed rows of the human benchmark."""

from ralc import io
from ralc.human_benchmark import benchmark

io.log_to(snakemake.log[0])
rows = benchmark.load_committed("human_benchmark")
io.write_table(
    benchmark.with_committed(rows, "beforehand"), snakemake.output.human_benchmark, "human_benchmark"
)
io.write_table(
    benchmark.load_committed("human_benchmark_points"),
    snakemake.output.points,
    "human_benchmark_points",
)
