"""Grade the answers of one target."""

from ralc import grading, io

io.log_to(snakemake.log[0])
grades = grading.grade(
    io.read_table(snakemake.input.answers, "answers"),
    io.read_tables(snakemake.input.questions, "questions"),
    method=snakemake.params.method,
    not_attempted=snakemake.params.not_attempted,
    target=snakemake.params.target,
    requests=io.read_frames(snakemake.input.requests),
    responses=io.read_frames(snakemake.input.responses),
)
io.write_table(grades, snakemake.output[0], "grades")
