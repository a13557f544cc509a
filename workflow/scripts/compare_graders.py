"""Compare the grades of all targets with the reference grader's."""

from ralc import io
from ralc.grading.recorded_grades import compare_graders

io.log_to(snakemake.log[0])
targets = snakemake.params.targets
table = compare_graders(
    io.read_per_target(snakemake.input.answers, targets, "answers"),
    io.read_per_target(snakemake.input.grades, targets, "grades"),
    io.read_tables(snakemake.input.questions, "questions"),
)
io.write_table(table, snakemake.output[0], "graders")
