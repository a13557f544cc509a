"""Take the committed rows of the human benchmark."""

from ralc import io, people

io.log_to(snakemake.log[0])
rows = people.load_committed("human_benchmark")
io.write_table(people.with_committed(rows, "beforehand"), snakemake.output.human_benchmark, "human_benchmark")
io.write_table(
    people.load_committed("human_benchmark_points"), snakemake.output.points, "human_benchmark_points"
)
