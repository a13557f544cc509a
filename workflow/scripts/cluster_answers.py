"""Cluster the answers of one target by meaning, and take the original answers."""

from ralc import clustering, io

io.log_to(snakemake.log[0])
samples = io.read_table(snakemake.input.samples, "samples")
clusters = clustering.cluster(
    samples,
    io.read_tables(snakemake.input.questions, "questions"),
    method=snakemake.params.method,
    clustered=snakemake.params.clustered,
    target=snakemake.params.target,
    requests=io.read_requests(snakemake.input.requests, target=snakemake.params.target),
    responses=io.read_tables(snakemake.input.responses, "responses"),
)
io.write_table(clusters, snakemake.output.clusters, "clusters")
io.write_table(clustering.original_answers(samples, clusters), snakemake.output.answers, "answers")
