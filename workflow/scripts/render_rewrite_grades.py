"""Render the requests to the grader about freely written rewrites."""

from ralc import grading, io

io.log_to(snakemake.log[0])
source, params = snakemake.input, snakemake.params
plan, rewrites = io.read_table(source.plan, "plan"), io.read_table(source.rewrites, "rewrites")
questions = io.read_tables(source.questions, "questions")
requests = grading.render_rewrites(plan, rewrites, questions, params.model, **params.how)
io.write_table(requests, snakemake.output[0], "requests")
