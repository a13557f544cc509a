"""List the expressions of the lexicon."""

from ralc import io, lexicon
from ralc.protocols import resolve

io.log_to(snakemake.log[0])
proposals = io.read_tables(snakemake.input.proposals, "proposals")
sourced = None if proposals is None else lexicon.source_hedges(proposals)
hedges = lexicon.load_hedges(sourced=sourced, **snakemake.params.user_list)
protocol = resolve(**snakemake.params.protocol)
for remark in lexicon.remarks(lexicon.foreseen(hedges, protocol), protocol):
    io.say(remark)
io.write_table(hedges, snakemake.output[0], "hedges")
