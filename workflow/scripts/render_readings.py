"""Render the requests to one evaluator model: read a batch of texts."""

from ralc import io
from ralc.readers.llm import render_readings
from ralc.steps import reading

io.log_to(snakemake.log[0])
texts = reading.distinct(io.read_frame(path) for path in snakemake.input.texts)
io.write_frame(render_readings(texts, **snakemake.params.how), snakemake.output[0])
