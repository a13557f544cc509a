"""Render the requests to one model: read a batch of texts."""

from ralc import io
from ralc.pipeline import reading

io.log_to(snakemake.log[0])
texts = io.read_table(snakemake.input.texts, "texts")
requests = reading.render(texts, **snakemake.params.how)
io.write_table(requests, snakemake.output[0], "requests")
