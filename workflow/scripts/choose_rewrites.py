"""Choose the rewritten answers by how their candidates are read."""

from ralc import io, rewriting
from ralc.pipeline.rewrite_plan import tasks

io.log_to(snakemake.log[0])
rewrites = rewriting.choose_rewrites(
    tasks(io.read_table(snakemake.input.plan, "plan")),
    io.read_table(snakemake.input.candidates, "candidates"),
    io.read_tables(snakemake.input.readings, "readings"),
    seed=snakemake.params.seed,
)
io.write_table(rewrites, snakemake.output[0], "rewrites")
