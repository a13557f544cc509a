# Human evaluators (paper section 5.1: the evaluator against people).
#
# Measures the evaluator and the test_evaluators against studies of how people read. The studies are not part of the
# package: without their folder, what was measured beforehand with the packaged evaluators is shown, and marked so.
# Reads: `people.data`, or ralc/data. Makes: people/{human_benchmark,human_benchmark_points}.
# Steered by: people, roles.evaluator, roles.test_evaluators, evaluators.

if settings.people.data:

    rule list_human_texts:
        input:
            data=local(settings.people.data),
            code=code("list_human_texts"),
        output:
            f"{OUT}/texts/people.parquet",
        log:
            f"{OUT}/logs/list_human_texts.log",
        localrule: True
        conda:
            CPU
        params:
            studies=settings.people.studies,
        message:
            "Texts of the human studies"
        script:
            "../scripts/list_human_texts.py"

    rule measure_evaluators:
        input:
            data=local(settings.people.data),
            readings=readings("people"),
            code=code("measure_evaluators"),
        output:
            human_benchmark=f"{OUT}/people/human_benchmark.parquet",
            points=f"{OUT}/people/human_benchmark_points.parquet",
        log:
            f"{OUT}/logs/measure_evaluators.log",
        benchmark:
            f"{OUT}/benchmarks/measure_evaluators.jsonl"
        conda:
            CPU
        params:
            studies=settings.people.studies,
            resamples=settings.metrics.resamples,
            seed=settings.seed,
        message:
            "Evaluators against people"
        script:
            "../scripts/measure_evaluators.py"

else:

    rule recall_evaluators:
        input:
            code=code("recall_evaluators"),
        output:
            human_benchmark=f"{OUT}/people/human_benchmark.parquet",
            points=f"{OUT}/people/human_benchmark_points.parquet",
        log:
            f"{OUT}/logs/recall_evaluators.log",
        localrule: True
        conda:
            CPU
        message:
            "Evaluators against people, as measured beforehand"
        script:
            "../scripts/recall_evaluators.py"
