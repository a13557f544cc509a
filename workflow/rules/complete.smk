# Every model call of the pipeline.
#
# Reads a table of requests, asks the model for what its journal does not hold yet, and writes the
# responses. The only rule that needs a model, a GPU or a network. The journal lies outside the
# declared outputs, so a killed or failed job loses at most the batch in flight.
# And counts what was asked, in which stage, of which model: requests, tokens, answers of no use.
# Steered by: models.


rule complete:
    input:
        requests=f"{OUT}/requests/{{stage}}/{{model}}.parquet",
    output:
        f"{OUT}/responses/{{stage}}/{{model}}.parquet",
    log:
        f"{OUT}/logs/complete/{{stage}}/{{model}}.log",
    benchmark:
        f"{OUT}/benchmarks/complete/{{stage}}/{{model}}.jsonl"
    conda:
        model_environment
    threads: model_threads
    resources:
        gpu=model_resource("gpu"),
        mem_mb=model_memory,
        runtime=model_resource("runtime"),
    params:
        model=model_entry,
        journal=f"{OUT}/journal/{{stage}}/{{model}}.jsonl",
    message:
        "{wildcards.model} answers stage {wildcards.stage} (progress in {log})"
    script:
        "../scripts/complete.py"


rule count_calls:
    input:
        responses=[f"{OUT}/responses/{stage}/{model}.parquet" for stage, model in ASKED],
        code=code("count_calls"),
    output:
        f"{OUT}/calls.parquet",
    log:
        f"{OUT}/logs/count_calls.log",
    localrule: True
    conda:
        CPU
    params:
        asked=ASKED,
        models={model: plain(settings.models[model]) for _, model in ASKED},
    message:
        "What the models were asked"
    script:
        "../scripts/count_calls.py"
