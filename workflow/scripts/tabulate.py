"""Write one table."""

from pathlib import Path

from ralc import io
from ralc.report import tables

io.log_to(snakemake.log[0])
results = {name: io.read_table(snakemake.input[f"{name}_table"], name) for name in snakemake.params.tables}
table = getattr(tables, snakemake.params.name)(**results)
tables.save_table(table, Path(snakemake.output[0]).with_suffix(""))
