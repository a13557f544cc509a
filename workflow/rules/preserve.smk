# Content preservation (paper section 5.3).
#
# Scores how much of each original answer its rewrite, and its hedged counterpart, keeps.
# Reads: answers, rewrites, hedges. Makes: preservation.
# Steered by: roles.preservation.


rule score_preservation:
    input:
        answers=per_target("answers"),
        plan=f"{OUT}/rewrites/plan.parquet",
        rewrites=f"{OUT}/rewrites/rewrites.parquet",
        hedges=f"{OUT}/lexicon/hedges.parquet",
        code=code("score_preservation"),
    output:
        f"{OUT}/preservation.parquet",
    log:
        f"{OUT}/logs/score_preservation.log",
    benchmark:
        f"{OUT}/benchmarks/score_preservation.jsonl"
    conda:
        CPU
    params:
        targets=TARGETS,
        role=plain(settings.roles.preservation),
    message:
        "Content preservation of the rewrites"
    script:
        "../scripts/score_preservation.py"
