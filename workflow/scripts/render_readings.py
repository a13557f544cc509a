"""Render the requests to one model: read a batch of texts."""

from ralc import io
from ralc.pipeline import reading

io.log_to(snakemake.log[0])
texts = io.read_table(snakemake.input.texts, "texts")
io.write_frame(reading.render(texts, **snakemake.params.how), snakemake.output[0])
