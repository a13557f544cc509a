"""Parse the lexicon's sentences, or put the expressions into their places."""

from ralc import io, rewriting

io.log_to(snakemake.log[0])
sentences = rewriting.parse_lexicon(
    io.read_table(snakemake.input.hedges, "hedges"),
    io.read_requests(snakemake.input.requests),
    io.read_tables(snakemake.input.responses, "responses"),
    **snakemake.params.how,
)
io.write_table(sentences, snakemake.output[0], "sentences")
