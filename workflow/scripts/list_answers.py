"""List the answers of all targets as what is read."""

from ralc import io
from ralc.pipeline import texts

io.log_to(snakemake.log[0])
answers = io.read_per_target(snakemake.input.answers, snakemake.params.targets, "answers")
io.write_table(texts.list_answers(answers), snakemake.output[0], "texts")
