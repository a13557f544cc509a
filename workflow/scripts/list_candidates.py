"""List the candidates of each rewrite, and the texts that a reader must choose among."""

from ralc import io, rewriting
from ralc.pipeline.rewrite_plan import tasks

io.log_to(snakemake.log[0])
params, planned = snakemake.params, tasks(io.read_table(snakemake.input.plan, "plan"))
candidates = rewriting.list_candidates(
    planned,
    io.read_requests(snakemake.input.requests),
    io.read_tables(snakemake.input.responses, "responses"),
    method=params.method,
    model_texts=params.model_texts,
    lexicon=io.read_table(snakemake.input.lexicon, "lexicon"),
    reader=params.reader,
    how=params.how,
)
io.write_table(candidates, snakemake.output.candidates, "candidates")
texts = rewriting.to_be_read(candidates)
io.write_table(texts, snakemake.output.texts, "texts")
