"""Parse the rewritten answers; the reader in the loop chooses among candidates."""

from ralc import io, readers, rewriting
from ralc.pipeline.rewrites import tasks

io.log_to(snakemake.log[0])
params = snakemake.params
rewrites = rewriting.parse_rewrites(
    tasks(io.read_table(snakemake.input.plan, "plan")),
    io.read_requests(snakemake.input.requests),
    io.read_tables(snakemake.input.responses, "responses"),
    hedges=io.read_table(snakemake.input.hedges, "hedges"),
    method=params.method,
    reader=readers.build(params.reader, params.entry),
)
io.write_table(rewrites, snakemake.output[0], "rewrites")
