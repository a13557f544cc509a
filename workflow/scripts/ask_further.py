"""Render the requests of the next round to one target."""

from ralc import io
from ralc.pipeline import rounds

io.log_to(snakemake.log[0])
requests = rounds.further(
    io.read_table(snakemake.input.requests[0], "requests"),
    io.read_tables(snakemake.input.responses, "responses"),
    io.read_tables(snakemake.input.questions, "questions"),
    **snakemake.params.how,
)
io.write_table(requests, snakemake.output[0], "requests")
