"""Render the requests to one model: read a batch of texts."""

from ralc import io
from ralc.pipeline import perceived_confidence
from ralc.protocols import resolve

io.log_to(snakemake.log[0])
texts = io.read_table(snakemake.input.texts, "texts")
params = snakemake.params
requests = perceived_confidence.render(texts, **params.how, protocol=resolve(**params.protocol))
io.write_table(requests, snakemake.output[0], "requests")
