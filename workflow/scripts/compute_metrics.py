"""Compute the metrics of all items, their means over datasets and the primary endpoints."""

import pandas as pd

from ralc import io
from ralc.pipeline import measures
from ralc.pipeline.metric_evaluation import NEEDED, Settings

io.log_to(snakemake.log[0])
settings = Settings(**snakemake.params.metrics)
items = io.read_table(snakemake.input.items_table, "items", NEEDED)
table = measures.with_means(measures.compute(items, settings, processes=snakemake.threads))
primary = measures.pooled(items, settings)
io.write_table(pd.concat([table, primary], ignore_index=True), snakemake.output[0], "metrics")
