# Sampling the targets (paper section 5.1; prompts in appendix C.1).
#
# Renders one Direct QA request of n answers a question, and where Hedged QA is among the methods one such request
# on the test split; parses the answers with their token log-probabilities. A target whose samples were recorded
# (engine `recorded`) has as many answers as its file. By `sampling.rounds` answers are asked for in rounds: the requests
# of each are those of the one before, with more answers to the questions whose majority is not settled; their journal is
# one, so that only those are asked for.
# Reads: questions. Makes: requests/sample, samples.
# Steered by: models.<target>, run.methods, sampling, protocol (Hedged QA on train, fresh readings), seed.


# Answers a question has after each round, by the round's name; the last, and mostly the only one, is stage `sample`.
ASKED = dict(zip(ROUNDS, [*settings.sampling.rounds, settings.sampling.answers]))
FIRST, *LATER = ROUNDS


rule render_samples:
    input:
        questions=QUESTIONS,
        recorded=recorded_samples,
        code=code("render_samples"),
    output:
        f"{OUT}/requests/{FIRST}/{{model}}.parquet",
    log:
        f"{OUT}/logs/render_samples/{{model}}.log",
    benchmark:
        f"{OUT}/benchmarks/render_samples/{{model}}.jsonl"
    conda:
        CPU
    params:
        model=model_entry,
        sampling={
            "answers": ASKED[FIRST],
            "max_tokens": settings.sampling.max_tokens,
            "style": settings.sampling.prompts,
            "hedged": settings.hedged_splits(),
            "own_answers": PROTOCOL.fresh_readings,
            "alternatives": settings.run.alternatives(),
            "seed": settings.seed,
        },
    message:
        "Requests to {wildcards.model}: answers"
    script:
        "../scripts/render_samples.py"


if LATER:

    rule ask_further:
        input:
            unpack(answered_before),
            questions=QUESTIONS,
            code=code("ask_further"),
        output:
            f"{OUT}/requests/{{stage}}/{{model}}.parquet",
        log:
            f"{OUT}/logs/ask_further/{{stage}}/{{model}}.log",
        benchmark:
            f"{OUT}/benchmarks/ask_further/{{stage}}/{{model}}.jsonl"
        wildcard_constraints:
            stage="|".join(LATER),
        conda:
            CPU
        params:
            how=further,
        message:
            "Requests to {wildcards.model}: more answers where the majority is not settled"
        script:
            "../scripts/ask_further.py"


rule parse_samples:
    input:
        unpack(answered_samples),
        code=code("parse_samples"),
    output:
        f"{OUT}/samples/{{target}}.parquet",
    log:
        f"{OUT}/logs/parse_samples/{{target}}.log",
    benchmark:
        f"{OUT}/benchmarks/parse_samples/{{target}}.jsonl"
    conda:
        CPU
    params:
        style=answer_style,
    message:
        "Answers of {wildcards.target}"
    script:
        "../scripts/parse_samples.py"
