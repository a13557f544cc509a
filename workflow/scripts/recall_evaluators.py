"""Take the committed rows of the human benchmark."""

from ralc import human_benchmark, io

io.log_to(snakemake.log[0])
rows = human_benchmark.load_committed("human_benchmark")
io.write_table(
    human_benchmark.with_committed(rows, "beforehand"), snakemake.output.human_benchmark, "human_benchmark"
)
io.write_table(
    human_benchmark.load_committed("human_benchmark_points"),
    snakemake.output.points,
    "human_benchmark_points",
)
