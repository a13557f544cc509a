# Questions (paper section 5.1).
#
# Makes one normalised table of questions a dataset, each row in train or test.
# Reads: data packages (worldfacts), or the file or folder `datasets.<name>.path`.
# Steered by: datasets, split, seed, protocol (split).


rule make_questions:
    input:
        source=dataset_source,
        code=code("make_questions"),
    output:
        f"{OUT}/questions/{{dataset}}.parquet",
    log:
        f"{OUT}/logs/make_questions/{{dataset}}.log",
    localrule: True
    conda:
        CPU
    params:
        entry=dataset_entry,
        train=settings.split.train,
        method=PROTOCOL.split,
        seed=settings.seed,
    message:
        "Questions of {wildcards.dataset}, split into train and test"
    script:
        "../scripts/make_questions.py"
