"""Compute the metrics of all items."""

from ralc import io
from ralc.pipeline import measures

io.log_to(snakemake.log[0])
items = io.read_table(snakemake.input.items_table, "items")
table = measures.compute(items, **snakemake.params.metrics, seed=snakemake.params.seed)
io.write_table(table, snakemake.output[0], "metrics")
