"""Grade the answers of one target."""

from ralc import grading, io, llm, precomputed

io.log_to(snakemake.log[0])
grades = grading.grade(
    io.read_table(snakemake.input.answers, "answers"),
    io.read_tables(snakemake.input.questions, "questions"),
    method=snakemake.params.method,
    not_attempted=snakemake.params.not_attempted,
    recorded=precomputed.read_first(snakemake.input.recorded),
    replies=llm.read_replies(
        snakemake.input.requests, snakemake.input.responses, target=snakemake.wildcards.target
    ),
)
io.write_table(grades, snakemake.output[0], "grades")
