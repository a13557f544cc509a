# Confidence signals (paper sections 3.1 and 4.3).
#
# Linguistic confidence of the original answer, token probability and semantic uncertainty of its
# cluster, each a Beta distribution.
# Reads: samples, clusters, answers, readings. Makes: signals.
# Steered by: run.signals, ablations.protocol, protocol (moments, semantic uncertainty).


rule compute_signals:
    input:
        samples=f"{OUT}/samples/{{target}}.parquet",
        clusters=f"{OUT}/clusters/{{target}}.parquet",
        answers=f"{OUT}/answers/{{target}}.parquet",
        readings=f"{OUT}/readings/answers.parquet",
        code=code("compute_signals"),
    output:
        f"{OUT}/signals/{{target}}.parquet",
    log:
        f"{OUT}/logs/compute_signals/{{target}}.log",
    benchmark:
        f"{OUT}/benchmarks/compute_signals/{{target}}.jsonl"
    conda:
        CPU
    params:
        signals=settings.run.signals,
        reader=settings.roles.evaluator,
        protocols=under_each(*MOMENTS, "semantic_uncertainty"),
    message:
        "Confidence signals of {wildcards.target}"
    script:
        "../scripts/compute_signals.py"
