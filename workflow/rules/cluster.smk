# Clustering the answers by meaning (paper section 4.3; prompt in appendix C.4).
#
# Exact matches meet first; then the clusterer decides: answer overlap, or a model. The original
# response of a question is the first answer of its largest cluster.
# Reads: samples. Makes: clusters, answers (the original and the hedged answer of each question).
# Steered by: roles.clusterer, protocol (which answers are shown, free replies).

CLUSTERER = role("clusterer").method


rule render_clusters:
    input:
        questions=QUESTIONS,
        samples=per_target("samples"),
        code=code("render", "clustering.clusterer"),
    output:
        f"{OUT}/requests/cluster/{{model}}.parquet",
    log:
        f"{OUT}/logs/render_clusters/{{model}}.log",
    benchmark:
        f"{OUT}/benchmarks/render_clusters/{{model}}.jsonl"
    conda:
        CPU
    params:
        step=step("clustering.clusterer", CLUSTERER, "letter", seed=settings.seed),
        model=model_entry,
    message:
        "Requests to {wildcards.model}: cluster the answers"
    script:
        "../scripts/render.py"


rule cluster_answers:
    input:
        **answered("cluster"),
        questions=QUESTIONS,
        samples=f"{OUT}/samples/{{target}}.parquet",
        code=code("cluster_answers", "clustering.clusterer"),
    output:
        clusters=f"{OUT}/clusters/{{target}}.parquet",
        answers=f"{OUT}/answers/{{target}}.parquet",
    log:
        f"{OUT}/logs/cluster_answers/{{target}}.log",
    benchmark:
        f"{OUT}/benchmarks/cluster_answers/{{target}}.jsonl"
    conda:
        CPU
    params:
        step=step("clustering.clusterer", CLUSTERER, "letter"),
        of=of_target,
    message:
        "Clusters and original answers of {wildcards.target}"
    script:
        "../scripts/cluster_answers.py"
