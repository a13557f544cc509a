# The two tables of results (paper sections 5.2 to 5.4).
#
# items: a row a question and condition. metrics: a row a number, with intervals and paired tests.
# Every table and figure is a view of these two.
# Reads: questions, grades, signals, calibrated, rewrites, readings, preservation. Makes: items, metrics.
# Steered by: metrics, ablations.bins, protocol, seed.

MEASURED = {
    **plain(settings.metrics),
    "bins": settings.bins(),
    "samples": PROTOCOL.generalised_ece_samples,
    "seed": settings.seed,
}


rule assemble_items:
    input:
        questions=QUESTIONS,
        answers=per_target("answers"),
        grades=per_target("grades"),
        signals=per_target("signals"),
        calibrated=per_target("calibrated"),
        plan=f"{OUT}/rewrites/plan.parquet",
        rewrites=f"{OUT}/rewrites/rewrites.parquet",
        rewrite_grades=f"{OUT}/rewrites/grades.parquet",
        readings=readings("answers", "rewrites"),
        preservation=f"{OUT}/preservation.parquet",
        code=code("assemble_items"),
    output:
        f"{OUT}/items.parquet",
    log:
        f"{OUT}/logs/assemble_items.log",
    benchmark:
        f"{OUT}/benchmarks/assemble_items.jsonl"
    conda:
        CPU
    params:
        about={"protocol": PROTOCOL.label, "methods": settings.run.methods},
    message:
        "Items: every answer under every condition"
    script:
        "../scripts/assemble_items.py"


rule compute_metrics:
    input:
        items_table=f"{OUT}/items.parquet",
        code=code("compute_metrics"),
    output:
        f"{OUT}/metrics.parquet",
    log:
        f"{OUT}/logs/compute_metrics.log",
    benchmark:
        f"{OUT}/benchmarks/compute_metrics.jsonl"
    conda:
        CPU
    threads: min(8, len(TARGETS) * len(DATASETS))
    params:
        metrics=MEASURED,
    message:
        "Metrics with intervals and paired tests, and the primary endpoints"
    script:
        "../scripts/compute_metrics.py"
