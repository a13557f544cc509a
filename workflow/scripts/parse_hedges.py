"""Parse the sources' lists of hedges."""

from ralc import io, lexicon

io.log_to(snakemake.log[0])
requests = io.read_requests(snakemake.input.requests)
proposals = lexicon.parse_hedges(requests, io.read_tables(snakemake.input.responses, "responses"))
io.write_table(proposals, snakemake.output.proposals, "proposals")
io.write_table(lexicon.source_hedges(proposals), snakemake.output.sourced, "hedges")
