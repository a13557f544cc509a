# What the jobs of a run used of the machine, beside what they asked for.
#
# Reads: the benchmark files of this run and of those before it in the same folder. Makes: jobs.csv.
# Steered by: nothing; what is asked for is in the profile and in the models' entries.

JOBS = f"{OUT}/jobs.csv"


rule measure_jobs:
    input:
        f"{OUT}/metrics.parquet",
        f"{OUT}/calls.parquet",
        code=code("measure_jobs"),
    output:
        JOBS,
    log:
        f"{OUT}/logs/measure_jobs.log",
    localrule: True
    conda:
        CPU
    params:
        benchmarks=f"{WRITTEN}/benchmarks",
    message:
        "What the jobs used"
    script:
        "../scripts/measure_jobs.py"
