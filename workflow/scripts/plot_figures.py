"""Draw the figures."""

from pathlib import Path

from ralc import io
from ralc.report import figures

io.log_to(snakemake.log[0])
results = io.read_results(snakemake.input)
for path, (name, shown) in zip(snakemake.output, snakemake.params.drawn.items(), strict=False):
    figure = getattr(figures, f"plot_{name}")(**{table: results[table] for table in shown})
    figures.save_figure(figure, Path(path).with_suffix(""))
