# Sampling the targets (paper section 5.1; prompts in appendix C.1).
#
# Renders one Direct QA request of n answers a question, and one Hedged QA request on the test
# split; parses the answers with their token log-probabilities.
# Reads: questions. Makes: requests/sample, samples.
# Steered by: models.<target>, sampling, protocol (Hedged QA on train, fresh readings), seed.


rule render_samples:
    message:
        "Requests to {wildcards.model}: Direct QA and Hedged QA"
    input:
        questions=QUESTIONS,
        prompts=prompts("*_qa_*"),
        code=code("sampling"),
    output:
        f"{OUT}/requests/sample/{{model}}.parquet",
    params:
        target="{model}",
        model=model_entry,
        sampling=plain(settings.sampling),
        hedge_train=PROTOCOL.hedged_on_train,
        seed=settings.seed,
    log:
        f"{OUT}/logs/render_samples/{{model}}.log",
    conda:
        CPU
    script:
        "../scripts/render_samples.py"


rule parse_samples:
    message:
        "Answers of {wildcards.target}"
    input:
        requests=f"{OUT}/requests/sample/{{target}}.parquet",
        responses=f"{OUT}/responses/sample/{{target}}.parquet",
        code=code("sampling"),
    output:
        f"{OUT}/samples/{{target}}.parquet",
    log:
        f"{OUT}/logs/parse_samples/{{target}}.log",
    conda:
        CPU
    script:
        "../scripts/parse_samples.py"
