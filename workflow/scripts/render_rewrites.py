"""Render the requests to rewrite the answers."""

from ralc import io, rewriting
from ralc.pipeline.rewrite_plan import tasks

io.log_to(snakemake.log[0])
params = snakemake.params
requests = rewriting.render_rewrites(
    tasks(io.read_table(snakemake.input.plan, "plan")),
    model=params.model,
    **params.how,
)
io.write_table(requests, snakemake.output[0], "requests")
