# Rewriting (paper section 4.2; prompts in appendices D.3 and D.4).
#
# Rewrites each original answer with its hedges (RALC, constant hedge), or from the Beta distribution
# alone (Direct Beta-guided). Equal tasks are rewritten once.
# Reads: answers, retrieved, lexicon. Makes: rewrites/{plan,rewrites}.
# Steered by: roles.rewriter, run.methods.


rule plan_rewrites:
    input:
        answers=per_target("answers"),
        retrieved=per_target("retrieved"),
        lexicon=f"{OUT}/lexicon/lexicon.parquet",
        code=code("plan_rewrites"),
    output:
        f"{OUT}/rewrites/plan.parquet",
    log:
        f"{OUT}/logs/plan_rewrites.log",
    benchmark:
        f"{OUT}/benchmarks/plan_rewrites.jsonl"
    conda:
        CPU
    params:
        targets=TARGETS,
    message:
        "What is to be rewritten"
    script:
        "../scripts/plan_rewrites.py"


rule render_rewrites:
    input:
        plan=f"{OUT}/rewrites/plan.parquet",
        hedges=f"{OUT}/lexicon/hedges.parquet",
        code=code("render_rewrites"),
    output:
        f"{OUT}/requests/rewrite/{{model}}.parquet",
    log:
        f"{OUT}/logs/render_rewrites/{{model}}.log",
    benchmark:
        f"{OUT}/benchmarks/render_rewrites/{{model}}.jsonl"
    conda:
        CPU
    params:
        method=role("rewriter").method,
        model=model_entry,
        seed=settings.seed,
    message:
        "Requests to {wildcards.model}: rewrite the answers"
    script:
        "../scripts/render_rewrites.py"


rule parse_rewrites:
    input:
        **answered("rewrite"),
        plan=f"{OUT}/rewrites/plan.parquet",
        hedges=f"{OUT}/lexicon/hedges.parquet",
        code=code("parse_rewrites"),
    output:
        f"{OUT}/rewrites/rewrites.parquet",
    log:
        f"{OUT}/logs/parse_rewrites.log",
    benchmark:
        f"{OUT}/benchmarks/parse_rewrites.jsonl"
    conda:
        CPU
    params:
        method=role("rewriter").method,
        reader=settings.roles.evaluator,
        entry=plain(settings.readers[settings.roles.evaluator]),
    message:
        "Rewritten answers"
    script:
        "../scripts/parse_rewrites.py"
