"""Grade the answers of one target."""

from ralc import grading, io

io.log_to(snakemake.log[0])
questions = io.read_tables(snakemake.input.questions, "questions")
answers = io.read_table(snakemake.input.answers, "answers")
io.write_table(grading.grade_reference(answers, questions), snakemake.output[0], "grades")
