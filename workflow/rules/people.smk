# Human readers (paper section 5.1: the evaluator against people).
#
# Measures the evaluator and the judges against studies of how people read. The studies are not part of the
# package: without their folder, what was measured beforehand with the packaged readers is shown, and marked so.
# Reads: `people.data`, or ralc/data. Makes: people/{human_benchmark,human_benchmark_points}.
# Steered by: people, roles.evaluator, roles.judges, readers.

if settings.people.data:

    rule list_human_texts:
        input:
            data=as_they_are([settings.people.data]),
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

    rule measure_readers:
        input:
            data=as_they_are([settings.people.data]),
            readings=readings("people"),
            code=code("measure_readers"),
        output:
            human_benchmark=f"{OUT}/people/human_benchmark.parquet",
            points=f"{OUT}/people/human_benchmark_points.parquet",
        log:
            f"{OUT}/logs/measure_readers.log",
        benchmark:
            f"{OUT}/benchmarks/measure_readers.jsonl"
        conda:
            CPU
        params:
            studies=settings.people.studies,
            resamples=settings.metrics.resamples,
            seed=settings.seed,
        message:
            "Readers against people"
        script:
            "../scripts/measure_readers.py"

else:

    rule recall_readers:
        input:
            code=code("recall_readers"),
        output:
            human_benchmark=f"{OUT}/people/human_benchmark.parquet",
            points=f"{OUT}/people/human_benchmark_points.parquet",
        log:
            f"{OUT}/logs/recall_readers.log",
        localrule: True
        conda:
            CPU
        message:
            "Readers against people, as measured beforehand"
        script:
            "../scripts/recall_readers.py"
