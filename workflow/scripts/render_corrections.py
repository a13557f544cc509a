"""Render the requests to rewrite once more what is not read as meant."""

from ralc import io, llm, rewriting
from ralc.pipeline.rewrite_plan import tasks

io.log_to(snakemake.log[0])
source, params = snakemake.input, snakemake.params
requests = rewriting.render_corrections(
    tasks(io.read_table(source.plan, "plan")),
    io.read_table(source.candidates, "candidates"),
    llm.read_replies(source.requests, source.responses),
    io.read_tables(source.readings, "readings"),
    model=params.model,
    **params.how,
)
io.write_table(requests, snakemake.output[0], "requests")
