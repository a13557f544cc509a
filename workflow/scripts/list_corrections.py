"""List what a model wrote when it was told how its texts are read, and the texts to be read again."""

from ralc import io, rewriting
from ralc.pipeline.rewrite_plan import tasks

io.log_to(snakemake.log[0])
planned = tasks(io.read_table(snakemake.input.plan, "plan"))
candidates = rewriting.list_corrections(
    planned,
    io.read_table(snakemake.input.candidates, "candidates"),
    io.read_requests(snakemake.input.requests),
    io.read_tables(snakemake.input.responses, "responses"),
)
io.write_table(candidates, snakemake.output.candidates, "candidates")
texts = rewriting.to_be_read(candidates, planned, snakemake.params.method)
io.write_table(texts, snakemake.output.texts, "texts")
