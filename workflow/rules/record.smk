# A record of a run, for others: from its journals every table is made again without a model, a GPU or a key.
#
# `snakemake --cores 2 record` packs it; `--configfile FOLDER/config.json` makes the run again from it.
# Reads: the journals of this run. Makes: record/{journals/,config.json,record.json}.
# Steered by: nothing.


rule record:
    input:
        calls=f"{OUT}/calls.parquet",
        code=code("record"),
    output:
        directory(f"{OUT}/record"),
    log:
        f"{OUT}/logs/record.log",
    localrule: True
    conda:
        CPU
    params:
        run=settings.model_dump(mode="json", exclude_unset=True),
        files=settings.files(),
        journals=f"{WRITTEN}/journal",
    message:
        "A record of what the models answered"
    script:
        "../scripts/record.py"
