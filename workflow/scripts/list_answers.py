"""List the answers of all targets as what is read."""

from ralc import io
from ralc.pipeline import perceived_confidence
from ralc.protocols import resolve

io.log_to(snakemake.log[0])
answers = io.read_per_target(snakemake.input.answers, "answers")
questions = io.read_tables(snakemake.input.questions, "questions")
protocol = resolve(**snakemake.params.protocol)
listed = perceived_confidence.list_answers(answers, questions, protocol)
io.write_table(listed, snakemake.output[0], "texts")
