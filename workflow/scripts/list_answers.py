"""List the answers of all targets as what is read."""

from ralc import io
from ralc.pipeline import perceived_confidence

io.log_to(snakemake.log[0])
params = snakemake.params
answers = io.read_per_target(snakemake.input.answers, "answers")
questions = io.read_tables(snakemake.input.questions, "questions")
listed = perceived_confidence.list_answers(answers, questions, letter=params.letter)
io.write_table(listed, snakemake.output[0], "texts")
