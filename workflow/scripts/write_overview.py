"""Write the overview page."""

from ralc import io
from ralc.report import figures, tables

io.log_to(snakemake.log[0])
metrics = io.read_table(snakemake.input.metrics_table, "metrics")
shown = {
    "Before and after RALC": figures.plot_prepost(metrics),
    "RALC and its baselines": figures.plot_baselines(metrics),
}
io.write_text(tables.overview(metrics, shown), snakemake.output[0])
