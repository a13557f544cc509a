"""Cluster the answers of one target by meaning, and take the original answers."""

from ralc import clustering, io, llm, steps

io.log_to(snakemake.log[0])
params = snakemake.params
tables = llm.read_inputs(snakemake.input, **params.of)
clusters = steps.build(**params.step).result(**tables)
io.write_table(clusters, snakemake.output.clusters, "clusters")
answers = clustering.in_sentences(
    clustering.original_answers(tables["samples"], clusters), tables["questions"]
)
io.write_table(answers, snakemake.output.answers, "answers")
