"""Assemble the items: every held-out answer under every condition."""

from ralc import io
from ralc.pipeline import items

io.log_to(snakemake.log[0])
source = snakemake.input
params = snakemake.params
per_target = ("answers", "grades", "signals", "calibrated")
assembled = items.assemble(
    questions=io.read_tables(source.questions, "questions"),
    plan=io.read_table(source.plan, "plan"),
    rewrites=io.read_table(source.rewrites, "rewrites"),
    rewrite_grades=io.read_table(source.rewrite_grades, "rewrite_grades"),
    readings=io.read_tables(source.readings, "readings"),
    preservation=io.read_table(source.preservation, "preservation"),
    **{table: io.read_per_target(source[table], table) for table in per_target},
    **params.about,
)
io.write_table(assembled, snakemake.output[0], "items")
