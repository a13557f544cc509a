"""Render the requests to the clusterer, for all targets."""

from ralc import clustering, io

io.log_to(snakemake.log[0])
params = snakemake.params
samples = io.read_per_target(snakemake.input.samples, "samples")
questions = io.read_tables(snakemake.input.questions, "questions")
requests = clustering.render(samples, questions, params.model, **params.how)
io.write_table(requests, snakemake.output[0], "requests")
