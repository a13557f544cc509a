"""Parse the answers of one target."""

from ralc import io, llm, sampling

io.log_to(snakemake.log[0])
replies = llm.read_replies(snakemake.input.requests, snakemake.input.responses)
samples = sampling.parse(replies, style=snakemake.params.style)
io.write_table(samples, snakemake.output[0], "samples")
