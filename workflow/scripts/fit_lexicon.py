"""Score the lexicon's sentences, and fit how each expression is read."""

from ralc import io, lexicon, llm
from ralc.pipeline import perceived_confidence
from ralc.protocols import resolve

io.log_to(snakemake.log[0])
source = snakemake.input
params = snakemake.params
sentences = io.read_table(source.sentences, "sentences")
replies = llm.read_replies(source.requests, source.responses)
scores = perceived_confidence.score(sentences, params.evaluator, params.entry, replies=replies)
io.write_table(scores, snakemake.output.scores, "scores")
hedges = io.read_table(source.hedges, "hedges")
test_readings = perceived_confidence.mean_by_expression(sentences, params.test_evaluators)
protocol = resolve(**params.protocol)
fitted = lexicon.fit_lexicon(hedges, scores, test_readings=test_readings, protocol=protocol)
for expression in hedges["expression"][~hedges["expression"].isin(fitted.table["expression"])]:
    io.say(f"hedge {expression!r} is left out: no reply to its sentences is a score")
for remark in lexicon.remarks(fitted.table, protocol):
    io.say(remark)
io.write_table(fitted.table, snakemake.output.lexicon, "lexicon")
