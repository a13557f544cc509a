"""Score the lexicon's sentences, and fit how each expression is read."""

from ralc import io, lexicon
from ralc.pipeline import reading
from ralc.protocols import resolve

io.log_to(snakemake.log[0])
params = snakemake.params
sentences = io.read_table(snakemake.input.sentences, "sentences")
scores = reading.score(
    sentences,
    params.reader,
    params.entry,
    requests=io.read_requests(snakemake.input.requests),
    responses=io.read_tables(snakemake.input.responses, "responses"),
)
io.write_table(scores, snakemake.output.scores, "scores")
hedges = io.read_table(snakemake.input.hedges, "hedges")
others = reading.mean_by_expression(sentences, params.others)
fitted = lexicon.fit_lexicon(hedges, scores, others=others, protocol=resolve(**params.protocol))
io.write_table(fitted.table, snakemake.output.lexicon, "lexicon")
