"""Put the metrics of all datasets into one table, with their means and the primary endpoints."""

import pandas as pd

from ralc import io
from ralc.pipeline import arrays, measures
from ralc.pipeline.settings import Settings
from ralc.results import means

io.log_to(snakemake.log[0])
table = means.with_means(io.read_tables(snakemake.input.parts, "metrics"))
items = io.read_table(snakemake.input.items_table, "items", arrays.NEEDED, {"space": "linguistic"})
primary = measures.pooled(items, Settings(**snakemake.params.metrics))
io.write_table(pd.concat([table, primary], ignore_index=True), snakemake.output[0], "metrics")
