"""Draw one figure."""

from pathlib import Path

from ralc import io
from ralc.report import figures

io.log_to(snakemake.log[0])
tables = {name: io.read_table(snakemake.input[f"{name}_table"], name) for name in snakemake.params.tables}
figure = getattr(figures, f"plot_{snakemake.params.name}")(**tables)
figures.save_figure(figure, Path(snakemake.output[0]).with_suffix(""))
