"""Draw the figures."""

from pathlib import Path

from ralc import io
from ralc.report import figures

io.log_to(snakemake.log[0])
results = io.read_results(snakemake.input)
for path, (name, shown) in zip(snakemake.output, snakemake.params.drawn.items(), strict=False):
    given = {table: results[table] for table in shown} | snakemake.params.given.get(name, {})
    figure = getattr(figures, f"plot_{name}")(**given)
    figures.save_figure(figure, Path(path).with_suffix(""))
