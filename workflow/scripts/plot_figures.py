"""Draw the figures."""

from pathlib import Path

from ralc import io
from ralc.report import figures

io.log_to(snakemake.log[0])
results = io.read_results(snakemake.input)
choices = snakemake.params.choices
for path, name in zip(snakemake.output, snakemake.params.drawn, strict=False):
    figures.save_figure(figures.draw(name, results, **choices.get(name, {})), Path(path).with_suffix(""))
