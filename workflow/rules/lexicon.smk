# The linguistic confidence lexicon (paper section 4.2, appendix D.1).
#
# Writes each hedging expression into the twelve non-verifiable sentences, has the sentences read by
# the evaluator, keeps the raw scores, and fits a Beta distribution an expression.
# Reads: the committed list of expressions, `lexicon.path` in its place, or both. Makes: lexicon/{sentences,scores,lexicon}.
# Steered by: lexicon, roles.rewriter, roles.evaluator, readers, protocol (moments or likelihood).

HEDGES = {"path": settings.lexicon.path, "extend": settings.lexicon.extend}


rule render_lexicon:
    input:
        hedges=settings.lexicon.path or [],
        prompts=prompts("lexicon_sentence") + prompts("guided_rewrite"),
        code=code("lexicon", "rewriting"),
    output:
        f"{OUT}/requests/write_lexicon/{{model}}.parquet",
    log:
        f"{OUT}/logs/render_lexicon/{{model}}.log",
    conda:
        CPU
    params:
        hedges=HEDGES,
        sentences=settings.lexicon.sentences,
        method=role("rewriter").method,
        model=model_entry,
        seed=settings.seed,
    message:
        "Requests to {wildcards.model}: sentences for the lexicon"
    script:
        "../scripts/render_lexicon.py"


rule parse_lexicon:
    input:
        **asked("rewriter", "write_lexicon"),
        hedges=settings.lexicon.path or [],
        code=code("lexicon", "rewriting"),
    output:
        f"{OUT}/lexicon/sentences.parquet",
    log:
        f"{OUT}/logs/parse_lexicon.log",
    conda:
        CPU
    params:
        hedges=HEDGES,
        method=role("rewriter").method,
    message:
        "Sentences of the lexicon"
    script:
        "../scripts/parse_lexicon.py"


rule fit_lexicon:
    input:
        **asked("evaluator", "read_lexicon"),
        sentences=f"{OUT}/lexicon/sentences.parquet",
        hedges=settings.lexicon.path or [],
        figures=READER_FIGURES,
        code=code("lexicon", "readers", "steps/reading", "beta"),
    output:
        scores=f"{OUT}/lexicon/scores.parquet",
        lexicon=f"{OUT}/lexicon/lexicon.parquet",
    log:
        f"{OUT}/logs/fit_lexicon.log",
    conda:
        CPU
    params:
        hedges=HEDGES,
        reader=role("evaluator").reader,
        reading={**plain(settings.readers), "seed": settings.seed},
        protocol=PROTOCOL.choices(*MOMENTS, "lexicon_fit", "mle_"),
        seed=settings.seed,
    message:
        "Lexicon: expressions and how they are read"
    script:
        "../scripts/fit_lexicon.py"
