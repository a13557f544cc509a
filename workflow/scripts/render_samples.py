"""Render the requests to one target."""

from ralc import io, precomputed, sampling

io.log_to(snakemake.log[0])
questions = io.read_tables(snakemake.input.questions, "questions")
samples = precomputed.read_first(snakemake.input.recorded)
requests = sampling.render(questions, snakemake.params.model, recorded=samples, **snakemake.params.sampling)
io.write_table(requests, snakemake.output[0], "requests")
