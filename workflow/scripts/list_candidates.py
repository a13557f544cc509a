"""List the candidates of each rewrite, and the texts that an evaluator must choose among."""

from ralc import io, rewriting
from ralc.pipeline.rewrite_plan import tasks

io.log_to(snakemake.log[0])
candidates = rewriting.list_candidates(
    tasks(io.read_table(snakemake.input.plan, "plan")),
    io.read_requests(snakemake.input.requests),
    io.read_tables(snakemake.input.responses, "responses"),
    lexicon=io.read_table(snakemake.input.lexicon, "lexicon"),
    **snakemake.params,
)
io.write_table(candidates, snakemake.output.candidates, "candidates")
io.write_table(rewriting.to_be_read(candidates), snakemake.output.texts, "texts")
