"""Write the tables."""

from pathlib import Path

from ralc import io
from ralc.report import tables

io.log_to(snakemake.log[0])
results = io.read_results(snakemake.input)
for path, (name, shown) in zip(snakemake.output, snakemake.params.tabulated.items(), strict=False):
    given = {table: results[table] for table in shown} | snakemake.params.given.get(name, {})
    table = getattr(tables, name)(**given)
    tables.save_table(table, Path(path).with_suffix(""))
