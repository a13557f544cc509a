"""Render the request to one source of hedges."""

from ralc import io, lexicon

io.log_to(snakemake.log[0])
requests = lexicon.render_hedges(snakemake.wildcards.model, **snakemake.params)
io.write_table(requests, snakemake.output[0], "requests")
