"""Render the requests to one target about its own answers."""

from ralc import io
from ralc.pipeline import self_evaluation

io.log_to(snakemake.log[0])
answers = io.read_table(snakemake.input.answers, "answers")
questions = io.read_tables(snakemake.input.questions, "questions")
requests = self_evaluation.render(answers, questions, **snakemake.params)
io.write_table(requests, snakemake.output[0], "requests")
