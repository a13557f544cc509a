"""Write the page of example answers."""

from ralc import io
from ralc.report.examples import examples

io.log_to(snakemake.log[0])
items = io.read_table(snakemake.input.items_table, "items")
questions = io.read_tables(snakemake.input.questions, "questions")
io.write_text(examples(items, questions, count=snakemake.params.examples), snakemake.output[0])
