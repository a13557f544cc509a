"""Write the overview page."""

import pandas as pd

from ralc import grading, io
from ralc.report import figures, tables
from ralc.report.provenance import provenance

io.log_to(snakemake.log[0])
source, targets = snakemake.input, snakemake.params.targets
metrics = io.read_table(source.metrics_table, "metrics")
shown = {
    "Before and after RALC": figures.plot_prepost(metrics),
    "RALC and its baselines": figures.plot_baselines(metrics),
}
doubts = grading.doubts(
    io.read_tables(source.questions, "questions"),
    io.read_per_target(source.answers, targets, "answers"),
    io.read_per_target(source.grades, targets, "grades"),
)
calls = io.read_table(source.calls_table, "calls")
about = provenance(snakemake.params.run, calls, pd.read_csv(source.jobs))
io.write_text(tables.overview(metrics, shown, about, doubts), snakemake.output[0])
