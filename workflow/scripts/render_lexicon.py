"""Render the requests for the lexicon's sentences."""

from ralc import io, rewriting

io.log_to(snakemake.log[0])
params = snakemake.params
hedges = io.read_table(snakemake.input.hedges, "hedges")
requests = rewriting.render_lexicon(hedges, model=params.model, **params.how)
io.write_table(requests, snakemake.output[0], "requests")
