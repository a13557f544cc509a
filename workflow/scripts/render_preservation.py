"""Render the requests to a model: how far rewrites follow from their originals."""

from ralc import io, preservation
from ralc.pipeline.rewrite_plan import pairs

io.log_to(snakemake.log[0])
answers = io.read_per_target(snakemake.input.answers, "answers")
plan = io.read_table(snakemake.input.plan, "plan")
rewrites = io.read_table(snakemake.input.rewrites, "rewrites")
requests = preservation.render(pairs(answers, plan, rewrites), snakemake.params.model)
io.write_table(requests, snakemake.output[0], "requests")
