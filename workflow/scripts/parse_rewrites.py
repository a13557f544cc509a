"""Parse the rewritten answers; the reader in the loop chooses among candidates."""

from ralc import io, readers, rewriting
from ralc.pipeline.rewrites import tasks

io.log_to(snakemake.log[0])
rewrites = rewriting.parse_rewrites(
    tasks(io.read_table(snakemake.input.plan, "plan")),
    io.read_requests(snakemake.input.requests),
    io.read_tables(snakemake.input.responses, "responses"),
    method=snakemake.params.method,
    reader=readers.load("cues", snakemake.params.audience),
)
io.write_table(rewrites, snakemake.output[0], "rewrites")
