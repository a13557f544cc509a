"""Choose the rewritten answers by how their candidates are read, and list them, one a condition, as what is read."""

from ralc import io, rewriting
from ralc.pipeline import perceived_confidence

io.log_to(snakemake.log[0])
plan = io.read_table(snakemake.input.plan, "plan")
rewrites = rewriting.choose_rewrites(
    plan,
    io.read_table(snakemake.input.candidates, "candidates"),
    io.read_tables(snakemake.input.readings, "readings"),
    seed=snakemake.params.seed,
)
io.write_table(rewrites, snakemake.output.rewrites, "rewrites")
questions = io.read_tables(snakemake.input.questions, "questions")
io.write_table(perceived_confidence.list_rewrites(plan, rewrites, questions), snakemake.output.texts, "texts")
