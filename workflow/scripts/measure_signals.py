"""Measure what each signal of one target is worth, and what it costs."""

from ralc import io, recorded
from ralc.pipeline import signal_costs
from ralc.pipeline.settings import Settings
from ralc.protocols import resolve

io.log_to(snakemake.log[0])
paths, how = snakemake.input, snakemake.params
table = signal_costs.compute(
    **{name: io.read_table(paths[name], name) for name in ("samples", "clusters")},
    **{name: io.read_tables(paths[name], name) for name in ("questions", "responses", "p_true")},
    requests=io.read_requests(paths.requests),
    grading={**how.grading, "recorded": recorded.read_first(paths.recorded)},
    **{name: how[name] for name in ("reader", "method")},
    protocol=resolve(**how.protocol),
    settings=Settings(**how.metrics),
)
io.write_table(table.assign(target=snakemake.wildcards.target), snakemake.output[0], "signal_costs")
