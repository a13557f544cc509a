# Content preservation (paper section 5.3).
#
# Scores how much of each original answer its rewrite, and its hedged counterpart, keeps: by shared words, or by a model.
# That is one of natural-language inference, which is asked about both directions.
# Reads: answers, rewrites, hedges. Makes: requests/preserve, preservation.
# Steered by: roles.preservation.

PRESERVATION = role("preservation").method


rule render_preservation:
    input:
        answers=per_target("answers"),
        plan=f"{OUT}/rewrites/plan.parquet",
        rewrites=f"{OUT}/rewrites/rewrites.parquet",
        code=code("render", "preservation"),
    output:
        f"{OUT}/requests/preserve/{{model}}.parquet",
    log:
        f"{OUT}/logs/render_preservation/{{model}}.log",
    benchmark:
        f"{OUT}/benchmarks/render_preservation/{{model}}.jsonl"
    conda:
        CPU
    params:
        step=step("preservation", PRESERVATION),
        model=model_entry,
    message:
        "Requests to {wildcards.model}: how far rewrites follow from their originals"
    script:
        "../scripts/render.py"


rule score_preservation:
    input:
        **answered("preserve"),
        answers=per_target("answers"),
        plan=f"{OUT}/rewrites/plan.parquet",
        rewrites=f"{OUT}/rewrites/rewrites.parquet",
        hedges=f"{OUT}/lexicon/hedges.parquet",
        code=code("parse", "preservation"),
    output:
        preservation=f"{OUT}/preservation.parquet",
    log:
        f"{OUT}/logs/score_preservation.log",
    benchmark:
        f"{OUT}/benchmarks/score_preservation.jsonl"
    priority: -1  # the readings take longer
    conda:
        CPU
    params:
        step=step("preservation", PRESERVATION),
    message:
        "Content preservation of the rewrites"
    script:
        "../scripts/parse.py"
