"""Grade the freely written rewrites."""

from ralc import grading, io, llm

io.log_to(snakemake.log[0])
source = snakemake.input
grades = grading.grade_rewrites(
    io.read_table(source.plan, "plan"),
    io.read_table(source.rewrites, "rewrites"),
    io.read_tables(source.questions, "questions"),
    replies=llm.read_replies(source.requests, source.responses),
    **snakemake.params.how,
)
io.write_table(grades, snakemake.output[0], "rewrite_grades")
