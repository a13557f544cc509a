"""Parse the rewritten answers; the reader in the loop chooses among candidates."""

from ralc import io, readers, rewriting
from ralc.pipeline.rewrites import tasks

io.log_to(snakemake.log[0])
rewrites = rewriting.parse_rewrites(
    tasks(io.read_frame(snakemake.input.plan)),
    io.read_frames(snakemake.input.requests),
    io.read_frames(snakemake.input.responses),
    method=snakemake.params.method,
    reader=readers.load("cues", snakemake.params.audience),
)
io.write_table(rewrites, snakemake.output[0], "rewrites")
