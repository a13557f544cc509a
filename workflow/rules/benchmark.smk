# Human readers (paper section 5.1: the evaluator against people).
#
# Measures the evaluator and the judge against studies of how people read. The studies are not part of the
# package: without their folder, what was measured beforehand with the packaged readers is shown, and marked so.
# Audiences: where groups of a study's respondents read the same phrase differently, from committed figures.
# Reads: `benchmark.data`, or ralc/data. Makes: benchmark/{benchmark,benchmark_points,audiences}.
# Steered by: benchmark.data, roles.evaluator, roles.judge, readers.

if settings.benchmark.data:

    rule gather_benchmark:
        input:
            data=settings.benchmark.data,
            code=code("benchmark", "readers/studies", "readers/persons"),
        output:
            f"{OUT}/texts/benchmark.parquet",
        log:
            f"{OUT}/logs/gather_benchmark.log",
        conda:
            CPU
        message:
            "Texts of the human studies"
        script:
            "../scripts/gather_benchmark.py"

    rule measure_readers:
        input:
            data=settings.benchmark.data,
            readings=f"{OUT}/readings/benchmark.parquet",
            figures=READER_FIGURES,
            code=code("benchmark", "readers/studies", "readers/persons", "beta"),
        output:
            benchmark=f"{OUT}/benchmark/benchmark.parquet",
            points=f"{OUT}/benchmark/benchmark_points.parquet",
        log:
            f"{OUT}/logs/measure_readers.log",
        benchmark:
            f"{OUT}/benchmarks/measure_readers.tsv"
        conda:
            CPU
        params:
            resamples=settings.metrics.resamples,
            seed=settings.seed,
        message:
            "Readers against people"
        script:
            "../scripts/measure_readers.py"

else:

    rule recall_benchmark:
        input:
            figures=READER_FIGURES,
            code=code("benchmark"),
        output:
            benchmark=f"{OUT}/benchmark/benchmark.parquet",
            points=f"{OUT}/benchmark/benchmark_points.parquet",
        log:
            f"{OUT}/logs/recall_benchmark.log",
        conda:
            CPU
        message:
            "Readers against people, as measured beforehand"
        script:
            "../scripts/recall_benchmark.py"


rule compare_audiences:
    input:
        figures=READER_FIGURES,
        code=code("readers/audiences", "readers/studies"),
    output:
        f"{OUT}/benchmark/audiences.parquet",
    log:
        f"{OUT}/logs/compare_audiences.log",
    conda:
        CPU
    message:
        "How audiences read the same phrase"
    script:
        "../scripts/compare_audiences.py"
