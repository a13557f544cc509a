"""Grade the answers of one target."""

from ralc import grading, io, precomputed

io.log_to(snakemake.log[0])
grades = grading.grade(
    io.read_table(snakemake.input.answers, "answers"),
    io.read_tables(snakemake.input.questions, "questions"),
    method=snakemake.params.method,
    not_attempted=snakemake.params.not_attempted,
    recorded=precomputed.read_first(snakemake.input.recorded),
    target=snakemake.params.target,
    requests=io.read_requests(snakemake.input.requests, target=snakemake.params.target),
    responses=io.read_tables(snakemake.input.responses, "responses"),
)
io.write_table(grades, snakemake.output[0], "grades")
