"""Parse the lexicon's sentences."""

from ralc import io, rewriting

io.log_to(snakemake.log[0])
hedges = io.read_table(snakemake.input.hedges, "hedges")
requests = io.read_requests(snakemake.input.requests)
responses = io.read_tables(snakemake.input.responses, "responses")
sentences = rewriting.parse_lexicon(hedges, requests, responses, method=snakemake.params.method)
io.write_table(sentences, snakemake.output[0], "sentences")
