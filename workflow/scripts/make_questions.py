"""Make the questions of each dataset."""

from ralc import datasets, io

io.log_to(snakemake.log[0])
how = snakemake.params.how
for path, (name, entry) in zip(snakemake.output, snakemake.params.entries.items(), strict=True):
    questions, findings = datasets.prepare(name, entry, **how)
    print(findings)
    findings.raise_errors()
    io.write_table(questions, path, "questions")
