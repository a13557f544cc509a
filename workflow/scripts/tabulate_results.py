"""Write the tables."""

from pathlib import Path

from ralc import io
from ralc.report import tables

io.log_to(snakemake.log[0])
results = io.read_results(snakemake.input)
for path, name in zip(snakemake.output, snakemake.params.tabulated, strict=False):
    tables.save_table(tables.tabulate(name, results), Path(path).with_suffix(""))
for name, path in zip(
    snakemake.params.copied, snakemake.output[-len(snakemake.params.copied) :], strict=True
):
    io.write_csv(results[name], path)
