"""List the expressions of the lexicon."""

from ralc import io, lexicon

io.log_to(snakemake.log[0])
proposals = io.read_tables(snakemake.input.proposals, "proposals")
sourced = None if proposals is None else lexicon.source_hedges(proposals)
hedges = lexicon.load_hedges(sourced=sourced, **snakemake.params.user_list)
foreseen = lexicon.foreseen(hedges, **snakemake.params.hedges)
for remark in lexicon.remarks(foreseen, **snakemake.params.flagged):
    io.say(remark)
io.write_table(hedges, snakemake.output[0], "hedges")
