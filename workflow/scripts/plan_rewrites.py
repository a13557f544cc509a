"""Plan what is to be rewritten, for all targets."""

from ralc import io
from ralc.pipeline import rewrite_plan

io.log_to(snakemake.log[0])
plan = rewrite_plan.plan(
    io.read_tables(snakemake.input.questions, "questions"),
    io.read_per_target(snakemake.input.answers, "answers"),
    io.read_per_target(snakemake.input.retrieved, "retrieved"),
    io.read_table(snakemake.input.lexicon, "lexicon"),
    **snakemake.params.choices,
)
io.write_table(plan, snakemake.output[0], "plan")
