"""Cluster the answers of one target by meaning, and take the original answers."""

from ralc import clustering, io, llm

io.log_to(snakemake.log[0])
samples = io.read_table(snakemake.input.samples, "samples")
questions = io.read_tables(snakemake.input.questions, "questions")
clusters = clustering.cluster(
    samples,
    questions,
    method=snakemake.params.method,
    letter=snakemake.params.letter,
    replies=llm.read_replies(
        snakemake.input.requests, snakemake.input.responses, target=snakemake.wildcards.target
    ),
)
io.write_table(clusters, snakemake.output.clusters, "clusters")
answers = clustering.in_sentences(clustering.original_answers(samples, clusters), questions)
io.write_table(answers, snakemake.output.answers, "answers")
