"""Make the questions of one dataset."""

from ralc import datasets, io

io.log_to(snakemake.log[0])
params = snakemake.params
questions = datasets.load(snakemake.wildcards.dataset, params.entry, params.seed)
questions = datasets.split(questions, params.train, params.method, params.seed)
io.write_table(questions, snakemake.output[0], "questions")
