# The linguistic confidence lexicon (paper section 4.2, appendix D.1).
#
# Lists the hedging expressions: the committed ones, or those that language models propose by the paper's prompt. A
# list of the user's own replaces these or is added. An expression is listed once, with all models that proposed it.
# Writes each into the twelve non-verifiable sentences, which the evaluator reads. Keeps the raw scores, fits a Beta
# distribution an expression, and flags what is not to be used, with the reason.
# Reads: `lexicon.path`. Makes: lexicon/{proposals,hedges,sentences,scores,lexicon}.
# Steered by: lexicon, roles.rewriter, roles.evaluator, evaluators, protocol (moments or likelihood, draw of statements, what
# becomes of a model's sentences).


rule render_hedges:
    input:
        code=code("render", "lexicon.sourcing"),
    output:
        f"{OUT}/requests/source_hedges/{{model}}.parquet",
    log:
        f"{OUT}/logs/render_hedges/{{model}}.log",
    localrule: True
    conda:
        CPU
    params:
        step=sourcing,
        model=model_entry,
    message:
        "Requests to {wildcards.model}: list hedging expressions"
    script:
        "../scripts/render.py"


rule parse_hedges:
    input:
        **answered("source_hedges"),
        code=code("parse", "lexicon.sourcing"),
    output:
        proposals=f"{OUT}/lexicon/proposals.parquet",
    log:
        f"{OUT}/logs/parse_hedges.log",
    localrule: True
    conda:
        CPU
    params:
        step=step("lexicon.sourcing", "source"),
    message:
        "Expressions that models proposed"
    script:
        "../scripts/parse.py"


rule list_hedges:
    input:
        proposals=(
            [f"{OUT}/lexicon/proposals.parquet"] if settings.lexicon.sources else []
        ),
        user_list=as_they_are(filter(None, [settings.lexicon.path])),
        code=code("list_hedges"),
    output:
        f"{OUT}/lexicon/hedges.parquet",
    log:
        f"{OUT}/logs/list_hedges.log",
    localrule: True
    conda:
        CPU
    params:
        user_list={
            "path": settings.lexicon.path,
            "extend": settings.lexicon.extend,
            "voice": settings.voice(),
        },
        protocol=PROTOCOL.choices("letter"),
    message:
        "Expressions of the lexicon (what was refused of proposed ones is counted in {log})"
    script:
        "../scripts/list_hedges.py"


# Who writes the sentences, and how they are drawn.
SENTENCES = step(
    "lexicon.sentences",
    role("rewriter").method,
    "letter",
    sentences=settings.lexicon.sentences,
    seed=settings.seed,
)


rule render_lexicon:
    input:
        hedges=f"{OUT}/lexicon/hedges.parquet",
        code=code("render", "lexicon.sentences"),
    output:
        f"{OUT}/requests/write_lexicon/{{model}}.parquet",
    log:
        f"{OUT}/logs/render_lexicon/{{model}}.log",
    localrule: True
    conda:
        CPU
    params:
        step=SENTENCES,
        model=model_entry,
    message:
        "Requests to {wildcards.model}: sentences for the lexicon"
    script:
        "../scripts/render.py"


rule parse_lexicon:
    input:
        **answered("write_lexicon"),
        hedges=f"{OUT}/lexicon/hedges.parquet",
        code=code("parse", "lexicon.sentences"),
    output:
        sentences=f"{OUT}/lexicon/sentences.parquet",
    log:
        f"{OUT}/logs/parse_lexicon.log",
    priority: -1  # nothing waits for the lexicon while a target answers
    localrule: True
    conda:
        CPU
    params:
        step=SENTENCES,
    message:
        "Sentences of the lexicon"
    script:
        "../scripts/parse.py"


rule fit_lexicon:
    input:
        **answered("read_lexicon"),
        sentences=f"{OUT}/lexicon/sentences.parquet",
        hedges=f"{OUT}/lexicon/hedges.parquet",
        code=code("fit_lexicon"),
    output:
        scores=f"{OUT}/lexicon/scores.parquet",
        lexicon=f"{OUT}/lexicon/lexicon.parquet",
    log:
        f"{OUT}/logs/fit_lexicon.log",
    benchmark:
        f"{OUT}/benchmarks/fit_lexicon.jsonl"
    priority: -1  # nothing waits for the lexicon while a target answers
    conda:
        CPU
    params:
        evaluator=settings.roles.evaluator,
        entry=plain(settings.evaluators[settings.roles.evaluator]),
        test_evaluators=evaluators(settings.independent_evaluators()),
        protocol=PROTOCOL.choices(*MOMENTS, "lexicon_fit", "letter"),
    message:
        "Lexicon: expressions and how they are read"
    script:
        "../scripts/fit_lexicon.py"
