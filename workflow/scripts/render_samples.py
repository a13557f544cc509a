"""Render the requests to one target."""

from ralc import io, sampling

io.log_to(snakemake.log[0])
questions = io.read_tables(snakemake.input.questions, "questions")
requests = sampling.render(questions, snakemake.params.model, **snakemake.params.sampling)
io.write_table(requests, snakemake.output[0], "requests")
