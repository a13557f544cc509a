"""Render the requests to the grader, for all targets."""

from ralc import grading, io

io.log_to(snakemake.log[0])
params = snakemake.params
answers = io.read_per_target(snakemake.input.answers, params.targets, "answers")
questions = io.read_tables(snakemake.input.questions, "questions")
requests = grading.render(answers, questions, params.model, **params.how)
io.write_table(requests, snakemake.output[0], "requests")
