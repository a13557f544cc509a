"""Cluster the answers of one target by meaning, and take the original answers."""

from ralc import clustering, io

io.log_to(snakemake.log[0])
questions = io.read_tables(snakemake.input.questions, "questions")
samples = io.read_table(snakemake.input.samples, "samples")
clusters = clustering.cluster_lexical(samples, questions)
io.write_table(clusters, snakemake.output.clusters, "clusters")
io.write_table(clustering.original_answers(samples, clusters), snakemake.output.answers, "answers")
