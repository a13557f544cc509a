# Rewriting (paper section 4.2; prompts in appendices D.3 and D.4).
#
# Rewrites each original answer with its hedges (RALC, constant hedge), or from the Beta distribution
# alone (Direct Beta-guided). Equal tasks are rewritten once, unless the protocol gives each answer a
# draw of its own. In a closed loop what the evaluator reads as meant stays as it came. Else it chooses
# among the places of the hedges, or a model's drafts. An evaluator that asks no model chooses while the
# candidates are listed; for any other they are read in between. A model of whose drafts none is read as meant is told
# how its best one was read, once, and writes again. "I don't know" passes unhedged.
# Reads: answers, retrieved, lexicon, readings of the candidates and corrections.
# Makes: rewrites/{plan,candidates,corrections,rewrites}.
# Steered by: roles.rewriter, roles.evaluator, run.methods, protocol (loop, abstentions,
# draws and checks of the models' texts), seed.


EVALUATOR = settings.roles.evaluator
REWRITER = role("rewriter").method
# The sentences of a long answer are rewritten together where no model writes them or chooses among them.
TOGETHER = (
    PROTOCOL.loop == "closed"
    and settings.by_grammar
    and not settings.models_of("evaluator")
)
# The rounds of candidates, the last of which are chosen among.
ROUNDS = ["candidates"] + (["corrections"] if settings.corrects() else [])
LISTING = code("list_candidates", "rewriting.candidates")
READ = readings(*ROUNDS) if STAGES["read_candidates"].models else []


rule plan_rewrites:
    input:
        questions=QUESTIONS,
        answers=per_target("answers"),
        retrieved=per_target("retrieved"),
        lexicon=f"{OUT}/lexicon/lexicon.parquet",
        code=code("parse", "pipeline.rewrite_plan"),
    output:
        plan=f"{OUT}/rewrites/plan.parquet",
    log:
        f"{OUT}/logs/plan_rewrites.log",
    benchmark:
        f"{OUT}/benchmarks/plan_rewrites.jsonl"
    conda:
        CPU
    params:
        step=step(
            "pipeline.rewrite_plan",
            "plan",
            "loop",
            "abstentions",
            "letter",
            together=TOGETHER,
        ),
    message:
        "What is to be rewritten"
    script:
        "../scripts/parse.py"


rule render_rewrites:
    input:
        plan=f"{OUT}/rewrites/plan.parquet",
        code=code("render", "rewriting.candidates"),
    output:
        f"{OUT}/requests/rewrite/{{model}}.parquet",
    log:
        f"{OUT}/logs/render_rewrites/{{model}}.log",
    benchmark:
        f"{OUT}/benchmarks/render_rewrites/{{model}}.jsonl"
    conda:
        CPU
    params:
        step=step("rewriting.candidates", REWRITER, "letter", seed=settings.seed),
        model=model_entry,
    message:
        "Requests to {wildcards.model}: rewrite the answers"
    script:
        "../scripts/render.py"


rule list_candidates:
    input:
        **answered("rewrite"),
        plan=f"{OUT}/rewrites/plan.parquet",
        lexicon=f"{OUT}/lexicon/lexicon.parquet",
        code=code("list_candidates", "rewriting.candidates"),
    output:
        candidates=f"{OUT}/rewrites/candidates.parquet",
        texts=f"{OUT}/texts/candidates.parquet",
    log:
        f"{OUT}/logs/list_candidates.log",
    benchmark:
        f"{OUT}/benchmarks/list_candidates.jsonl"
    conda:
        CPU
    params:
        step=step(
            "rewriting.candidates",
            REWRITER,
            "letter",
            evaluator=evaluators([EVALUATOR]),
            seed=settings.seed,
        ),
    message:
        "Candidates of the rewritten answers"
    script:
        "../scripts/list_candidates.py"


rule render_corrections:
    input:
        **answered("rewrite"),
        plan=f"{OUT}/rewrites/plan.parquet",
        candidates=f"{OUT}/rewrites/candidates.parquet",
        readings=READ[:1],
        code=code("render", "rewriting.corrections"),
    output:
        f"{OUT}/requests/correct/{{model}}.parquet",
    log:
        f"{OUT}/logs/render_corrections/{{model}}.log",
    benchmark:
        f"{OUT}/benchmarks/render_corrections/{{model}}.jsonl"
    conda:
        CPU
    params:
        step=step(
            "rewriting.corrections",
            REWRITER,
            evaluator=evaluators([EVALUATOR]),
            seed=settings.seed,
        ),
        model=model_entry,
    message:
        "Requests to {wildcards.model}: rewrite once more what is not read as meant"
    script:
        "../scripts/render.py"


use rule list_candidates as list_corrections with:
    input:
        requests=[*answered("rewrite")["requests"], *answered("correct")["requests"]],
        responses=[*answered("rewrite")["responses"], *answered("correct")["responses"]],
        plan=f"{OUT}/rewrites/plan.parquet",
        lexicon=f"{OUT}/lexicon/lexicon.parquet",
        known=f"{OUT}/texts/candidates.parquet",
        code=LISTING,
    output:
        candidates=f"{OUT}/rewrites/corrections.parquet",
        texts=f"{OUT}/texts/corrections.parquet",
    log:
        f"{OUT}/logs/list_corrections.log",
    benchmark:
        f"{OUT}/benchmarks/list_corrections.jsonl"
    message:
        "Candidates of the rewritten answers, with those of the corrective round"


rule choose_rewrites:
    input:
        questions=QUESTIONS,
        plan=f"{OUT}/rewrites/plan.parquet",
        candidates=f"{OUT}/rewrites/{ROUNDS[-1]}.parquet",
        readings=READ,
        code=code("choose_rewrites"),
    output:
        rewrites=f"{OUT}/rewrites/rewrites.parquet",
        texts=f"{OUT}/texts/rewrites.parquet",
    log:
        f"{OUT}/logs/choose_rewrites.log",
    benchmark:
        f"{OUT}/benchmarks/choose_rewrites.jsonl"
    conda:
        CPU
    params:
        seed=settings.seed,
    message:
        "Rewritten answers, chosen by how they are read, and listed to be read"
    script:
        "../scripts/choose_rewrites.py"
