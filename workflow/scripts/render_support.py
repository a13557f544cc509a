"""Render the requests to a model: what the other answers say of each sentence."""

from ralc import io
from ralc.pipeline import sentence_support

io.log_to(snakemake.log[0])
params, questions = snakemake.params, io.read_tables(snakemake.input.questions, "questions")
answers = io.read_per_target(snakemake.input.answers, "answers")
samples = io.read_per_target(snakemake.input.samples, "samples")
requests = sentence_support.render(answers, samples, questions, **params.how, model=params.model)
io.write_table(requests, snakemake.output[0], "requests")
