"""Render the requests to correct the rewritten answers that are read far from their targets."""

from ralc import io, rewriting
from ralc.pipeline.rewrite_plan import tasks

io.log_to(snakemake.log[0])
params = snakemake.params
requests = rewriting.render_corrections(
    tasks(io.read_table(snakemake.input.plan, "plan")),
    io.read_table(snakemake.input.candidates, "candidates"),
    io.read_table(snakemake.input.readings, "readings"),
    method=params.method,
    model=params.model,
    seed=params.seed,
)
io.write_table(requests, snakemake.output[0], "requests")
