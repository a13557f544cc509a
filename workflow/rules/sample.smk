# Sampling the targets (paper section 5.1; prompts in appendix C.1).
#
# Renders one Direct QA request of n answers a question. Where Hedged QA is among the methods, a test question has one
# such request, too. Parses the answers with their token log-probabilities. A target whose samples were recorded
# (engine `recorded`) has as many answers as its file.
# Reads: questions. Makes: requests/sample, samples.
# Steered by: models.<target>, run.methods, sampling, protocol (Hedged QA on train, fresh readings), seed.


rule render_samples:
    input:
        questions=QUESTIONS,
        recorded=recorded_samples,
        code=code("render", "sampling"),
    output:
        f"{OUT}/requests/sample/{{model}}.parquet",
    log:
        f"{OUT}/logs/render_samples/{{model}}.log",
    benchmark:
        f"{OUT}/benchmarks/render_samples/{{model}}.jsonl"
    priority: 1  # nothing keeps the model waiting
    conda:
        CPU
    params:
        step=step(
            "sampling",
            "target",
            "letter",
            answers=settings.sampling.answers,
            max_tokens=settings.sampling.max_tokens,
            style=settings.sampling.prompts,
            hedged=["test"] if "hedged_qa" in settings.run.methods else [],
            seed=settings.seed,
        ),
        model=model_entry,
    message:
        "Requests to {wildcards.model}: answers"
    script:
        "../scripts/render.py"


rule parse_samples:
    input:
        unpack(answered_samples),
        recorded=recorded_samples,
        code=code("parse", "sampling"),
    output:
        samples=f"{OUT}/samples/{{target}}.parquet",
    log:
        f"{OUT}/logs/parse_samples/{{target}}.log",
    benchmark:
        f"{OUT}/benchmarks/parse_samples/{{target}}.jsonl"
    conda:
        CPU
    params:
        step=step("sampling", "target", style=settings.sampling.prompts),
    message:
        "Answers of {wildcards.target}"
    script:
        "../scripts/parse.py"
