"""List the rewritten answers, one a condition, as what is read."""

from ralc import io
from ralc.pipeline import texts

io.log_to(snakemake.log[0])
plan = io.read_table(snakemake.input.plan, "plan")
rewrites = io.read_table(snakemake.input.rewrites, "rewrites")
questions = io.read_tables(snakemake.input.questions, "questions")
io.write_table(texts.list_rewrites(plan, rewrites, questions), snakemake.output[0], "texts")
