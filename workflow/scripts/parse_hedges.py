"""Parse the sources' lists of hedges."""

from ralc import io, lexicon, llm

io.log_to(snakemake.log[0])
replies = llm.read_replies(snakemake.input.requests, snakemake.input.responses)
proposals = lexicon.parse_hedges(replies)
io.write_table(proposals, snakemake.output.proposals, "proposals")
io.write_table(lexicon.source_hedges(proposals), snakemake.output.sourced, "hedges")
