"""List the candidates of each rewrite, and the texts that an evaluator must choose among."""

from ralc import io, llm, rewriting
from ralc.pipeline.rewrite_plan import tasks

io.log_to(snakemake.log[0])
candidates = rewriting.list_candidates(
    tasks(io.read_table(snakemake.input.plan, "plan")),
    llm.read_replies(snakemake.input.requests, snakemake.input.responses),
    lexicon=io.read_table(snakemake.input.lexicon, "lexicon"),
    **snakemake.params,
)
io.write_table(candidates, snakemake.output.candidates, "candidates")
known = snakemake.input.get("known")
read = io.read_table(known, "texts")["text"] if known else ()
io.write_table(rewriting.to_be_read(candidates, read), snakemake.output.texts, "texts")
