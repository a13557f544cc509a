"""Render the requests to one target: whether its answers are true."""

from ralc import io
from ralc.pipeline import p_true

io.log_to(snakemake.log[0])
answers = io.read_table(snakemake.input.answers, "answers")
questions = io.read_tables(snakemake.input.questions, "questions")
requests = p_true.render(answers, questions, **snakemake.params)
io.write_table(requests, snakemake.output[0], "requests")
