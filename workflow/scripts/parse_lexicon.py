"""Parse the lexicon's sentences, or put the expressions into their places."""

from ralc import io, llm, rewriting

io.log_to(snakemake.log[0])
sentences = rewriting.parse_lexicon(
    io.read_table(snakemake.input.hedges, "hedges"),
    llm.read_replies(snakemake.input.requests, snakemake.input.responses),
    **snakemake.params.how,
)
io.write_table(sentences, snakemake.output[0], "sentences")
