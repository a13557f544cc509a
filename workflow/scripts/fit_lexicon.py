"""Fit how each expression of the lexicon is read."""

from ralc import io, lexicon

io.log_to(snakemake.log[0])
params = snakemake.params
hedges = lexicon.load_hedges(params.path)
sentences = io.read_table(snakemake.input.sentences, "sentences")
scores = lexicon.score(sentences, audience=params.audience, passes=params.passes, seed=params.seed)
io.write_table(scores, snakemake.output.scores, "scores")
io.write_table(lexicon.fit(hedges, scores, params.protocol), snakemake.output.lexicon, "lexicon")
