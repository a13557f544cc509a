"""Score the lexicon's sentences, and fit how each expression is read."""

from ralc import io, lexicon
from ralc.pipeline import text_readings
from ralc.protocols import resolve

io.log_to(snakemake.log[0])
source, told = snakemake.input, snakemake.params
sentences = io.read_table(source.sentences, "sentences")
requests, responses = io.read_requests(source.requests), io.read_tables(source.responses, "responses")
scores = text_readings.score(sentences, told.evaluator, told.entry, requests=requests, responses=responses)
io.write_table(scores, snakemake.output.scores, "scores")
hedges = io.read_table(source.hedges, "hedges")
others = text_readings.mean_by_expression(sentences, told.others)
fitted = lexicon.fit_lexicon(hedges, scores, others=others, protocol=resolve(**told.protocol))
for remark in lexicon.remarks(fitted.table, **told.flagged):
    io.say(remark)
io.write_table(fitted.table, snakemake.output.lexicon, "lexicon")
