"""Parse the answers of one target."""

from ralc import io, sampling

io.log_to(snakemake.log[0])
requests = io.read_requests(snakemake.input.requests)
responses = io.read_tables(snakemake.input.responses, "responses")
samples = sampling.parse(requests, responses, style=snakemake.params.style)
io.write_table(samples, snakemake.output[0], "samples")
