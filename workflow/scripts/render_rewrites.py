"""Render the requests to rewrite the answers."""

from ralc import io, rewriting
from ralc.pipeline.rewrites import tasks

io.log_to(snakemake.log[0])
params = snakemake.params
wanted = tasks(io.read_frame(snakemake.input.plan))
requests = rewriting.render_rewrites(wanted, method=params.method, model=params.model, seed=params.seed)
io.write_frame(requests, snakemake.output[0])
