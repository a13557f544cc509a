"""Compute the metrics of all items of one dataset."""

from ralc import io
from ralc.pipeline import arrays, measures
from ralc.pipeline.settings import Settings

io.log_to(snakemake.log[0])
where = {"dataset": snakemake.wildcards.dataset}
items = io.read_table(snakemake.input.items_table, "items", arrays.NEEDED, where)
table = measures.compute(items, Settings(**snakemake.params.metrics), processes=snakemake.threads)
io.write_table(table, snakemake.output[0], "metrics")
