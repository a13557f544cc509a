"""Write the overview page."""

import pandas as pd

from ralc import io
from ralc.report import figures, tables
from ralc.report.provenance import provenance

io.log_to(snakemake.log[0])
metrics = io.read_table(snakemake.input.metrics_table, "metrics")
shown = {
    "Before and after RALC": figures.plot_prepost(metrics),
    "RALC and its baselines": figures.plot_baselines(metrics),
}
calls = io.read_table(snakemake.input.calls_table, "calls")
about = provenance(snakemake.params.run, calls, pd.read_csv(snakemake.input.jobs))
io.write_text(tables.overview(metrics, shown, about), snakemake.output[0])
