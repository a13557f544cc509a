"""Read a batch of texts by every evaluator."""

from ralc import io, llm
from ralc.pipeline import perceived_confidence
from ralc.protocols import resolve

io.log_to(snakemake.log[0])
params = snakemake.params
readings = perceived_confidence.read(
    io.read_table(snakemake.input.texts, "texts"),
    params.evaluators,
    replies=llm.read_replies(snakemake.input.requests, snakemake.input.responses),
    protocol=resolve(**params.protocol),
)
io.write_table(readings, snakemake.output[0], "readings")
