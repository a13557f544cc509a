"""Take the committed rows of the human benchmark."""

import pandas as pd

from ralc import benchmark, io

io.log_to(snakemake.log[0])
rows = pd.concat([benchmark.load_committed(table) for table in ("benchmark", "refits")], ignore_index=True)
rows = rows.assign(measured="beforehand")
io.write_table(rows, snakemake.output.benchmark, "benchmark")
io.write_table(benchmark.load_committed("benchmark_points"), snakemake.output.points, "benchmark_points")
