# Confidence signals (paper sections 3.1 and 4.3).
#
# Linguistic confidence of the original answer, token probability and semantic uncertainty of its cluster, each a Beta
# distribution. Of a sentence: how far the other answers support it, by their words or by a model. P(True): what the
# target says of its own answer.
# Reads: samples, clusters, answers, readings. Makes: requests/support, requests/self_evaluation,
# signals.
# Steered by: run.signals, roles.support, ablations.protocol, protocol (moments, semantic uncertainty, readings).

SUPPORT = role("support").method


rule render_support:
    input:
        questions=QUESTIONS,
        samples=per_target("samples"),
        answers=per_target("answers"),
        code=code("render", "pipeline.sentence_support"),
    output:
        f"{OUT}/requests/support/{{model}}.parquet",
    log:
        f"{OUT}/logs/render_support/{{model}}.log",
    benchmark:
        f"{OUT}/benchmarks/render_support/{{model}}.jsonl"
    conda:
        CPU
    params:
        step=step("pipeline.sentence_support", SUPPORT, seed=settings.seed),
        model=model_entry,
    message:
        "Requests to {wildcards.model}: what the other answers say of each sentence"
    script:
        "../scripts/render.py"


rule render_self_evaluation:
    input:
        questions=QUESTIONS,
        answers=f"{OUT}/answers/{{model}}.parquet",
        code=code("render", "pipeline.self_evaluation"),
    output:
        f"{OUT}/requests/self_evaluation/{{model}}.parquet",
    log:
        f"{OUT}/logs/render_self_evaluation/{{model}}.log",
    benchmark:
        f"{OUT}/benchmarks/render_self_evaluation/{{model}}.jsonl"
    conda:
        CPU
    params:
        step=step(
            "pipeline.self_evaluation",
            "target",
            signals=settings.run.signals,
            style=settings.sampling.prompts,
        ),
        model=model_entry,
    message:
        "Requests to {wildcards.model} about its own answers"
    script:
        "../scripts/render.py"


rule compute_signals:
    input:
        unpack(self_evaluations),
        **answered("support"),
        questions=QUESTIONS,
        samples=f"{OUT}/samples/{{target}}.parquet",
        clusters=f"{OUT}/clusters/{{target}}.parquet",
        answers=f"{OUT}/answers/{{target}}.parquet",
        readings=f"{OUT}/readings/evaluator/answers.parquet",
        code=code("compute_signals", "pipeline.sentence_support"),
    output:
        f"{OUT}/signals/{{target}}.parquet",
    log:
        f"{OUT}/logs/compute_signals/{{target}}.log",
    benchmark:
        f"{OUT}/benchmarks/compute_signals/{{target}}.jsonl"
    conda:
        CPU
    params:
        how={
            "signals": settings.run.signals,
            "evaluator": settings.roles.evaluator,
        },
        support=step("pipeline.sentence_support", SUPPORT),
        protocols=under_each(*MOMENTS, "semantic_uncertainty", "letter"),
    message:
        "Confidence signals of {wildcards.target}"
    script:
        "../scripts/compute_signals.py"
