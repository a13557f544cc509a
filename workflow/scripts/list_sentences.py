"""List the sentences of the lexicon as what is read."""

from ralc import io
from ralc.pipeline import perceived_confidence

io.log_to(snakemake.log[0])
sentences = io.read_table(snakemake.input.sentences, "sentences")
io.write_table(perceived_confidence.list_sentences(sentences), snakemake.output[0], "texts")
