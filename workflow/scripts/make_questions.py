"""Make the questions of one dataset."""

from ralc import datasets, io

io.log_to(snakemake.log[0])
params = snakemake.params
how = {"train": params.train, "method": params.method, "seed": params.seed}
questions, findings = datasets.prepare(snakemake.wildcards.dataset, params.entry, **how)
print(findings)
findings.raise_errors()
io.write_table(questions, snakemake.output[0], "questions")
