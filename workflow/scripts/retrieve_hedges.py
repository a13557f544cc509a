"""Retrieve the hedges for the held-out answers of one target."""

from ralc import io
from ralc.pipeline import rewrite_plan

io.log_to(snakemake.log[0])
retrieved = rewrite_plan.retrieve(
    io.read_tables(snakemake.input.questions, "questions"),
    io.read_table(snakemake.input.calibrated, "calibrated"),
    io.read_table(snakemake.input.grades, "grades"),
    io.read_table(snakemake.input.lexicon, "lexicon"),
    **snakemake.params,
)
io.write_table(retrieved, snakemake.output[0], "retrieved")
