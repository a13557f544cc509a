# Questions (paper section 5.1).
#
# Makes one normalised table of questions a dataset, each row in train or test.
# Reads: ralc/data (worldfacts), or the file or folder `datasets.<name>.path`. Makes: questions.
# Steered by: datasets, split, seed, protocol (split).


rule make_questions:
    input:
        source=as_they_are(
            settings.datasets[name].path
            for name in DATASETS
            if settings.datasets[name].path
        ),
        code=code("make_questions"),
    output:
        QUESTIONS,
    log:
        f"{OUT}/logs/make_questions.log",
    priority: 1  # nothing keeps the model waiting
    localrule: True
    conda:
        CPU
    params:
        entries={name: plain(settings.datasets[name]) for name in DATASETS},
        how={
            "train": settings.split.train,
            "method": PROTOCOL.split,
            "seed": settings.seed,
        },
    message:
        "Questions, split into train and test"
    script:
        "../scripts/make_questions.py"
