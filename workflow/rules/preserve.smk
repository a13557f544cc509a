# Content preservation (paper section 5.3).
#
# Scores how much of each original answer its rewrite, and its hedged counterpart, keeps.
# Reads: answers, rewrites. Makes: preservation.
# Steered by: roles.preservation.


rule score_preservation:
    message:
        "Content preservation of the rewrites"
    input:
        answers=per_target("answers"),
        plan=f"{OUT}/rewrites/plan.parquet",
        rewrites=f"{OUT}/rewrites/rewrites.parquet",
        code=code("preservation"),
    output:
        f"{OUT}/preservation.parquet",
    params:
        role=plain(role("preservation")),
    log:
        f"{OUT}/logs/score_preservation.log",
    conda:
        CPU
    script:
        "../scripts/score_preservation.py"
