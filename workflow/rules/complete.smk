# Every model call of the pipeline.
#
# Reads a table of requests, asks the model for what its journal does not hold yet, and writes the
# responses. The only rule that needs a model, a GPU or a network. The journal lies outside the
# declared outputs, so a killed or failed job loses at most the batch in flight.
# A big table of requests is split over jobs by its requests' keys, each with a journal of its own.
# And counts what was asked, in which stage, of which model: requests, tokens, answers of no use.
# Reads: requests, journal. Makes: responses; calls.
# Steered by: models, journals.


# Every table of responses, with its stage and model.
RESPONSES = [
    (stage.name, model, path)
    for stage in STAGES.values()
    for model in stage.models
    for path in stage.responses(model)
]


rule complete:
    input:
        requests=f"{OUT}/requests/{{stage}}/{{model}}.parquet",
    output:
        f"{OUT}/responses/{{stage}}/{{model}}{{shard}}.parquet",
    log:
        f"{OUT}/logs/complete/{{stage}}/{{model}}{{shard}}.log",
    benchmark:
        f"{OUT}/benchmarks/complete/{{stage}}/{{model}}{{shard}}.jsonl"
    wildcard_constraints:
        shard=r"(\.\d+of\d+)?",
    conda:
        model_environment
    threads: model_threads
    resources:
        gpu=model_resource("gpu"),
        mem_mb=model_memory,
        runtime=model_resource("runtime"),
        place=model_place,
    params:
        model=request_params,
        execution=execution_params,
        shard=shard,
        journal=journal,
    message:
        "{wildcards.model} answers stage {wildcards.stage}: {resources.gpu} GPU, {resources.mem_mb} MB, at most "
        "{resources.runtime} minutes, {resources.place} (progress in {log})"
    script:
        "../scripts/complete.py"


rule count_calls:
    input:
        responses=[f"{OUT}/{path}" for _, _, path in RESPONSES],
        code=code("count_calls"),
    output:
        f"{OUT}/calls.parquet",
    log:
        f"{OUT}/logs/count_calls.log",
    localrule: True
    conda:
        CPU
    params:
        asked=[(stage, model) for stage, model, _ in RESPONSES],
        prices={model: plain(settings.models[model].price) for _, model, _ in RESPONSES},
    message:
        "What the models were asked"
    script:
        "../scripts/count_calls.py"
