# Perceived confidence (paper section 3.1; prompt in appendix C.2).
#
# Reads a batch of texts, each distinct text once, by the evaluator in the loop and by the
# independent judge; the readings of a text become a Beta distribution by moments.
# Reads: answers, or rewrites. Makes: readings.
# Steered by: roles.evaluator, roles.judge, readers, protocol.


def texts_of(wildcards):
    """The tables that hold the texts of a batch."""
    return {
        "answers": per_target("answers"),
        "rewrites": [f"{OUT}/rewrites/rewrites.parquet"],
    }[wildcards.batch]


rule read_texts:
    input:
        texts=texts_of,
        code=code("readers", "steps/reading", "beta"),
        figures=READER_FIGURES,
    output:
        f"{OUT}/readings/{{batch}}.parquet",
    log:
        f"{OUT}/logs/read_texts/{{batch}}.log",
    wildcard_constraints:
        batch="answers|rewrites",
    conda:
        CPU
    params:
        readers=[role("evaluator").method, role("judge").method],
        audience=settings.readers.audience,
    message:
        "Perceived confidence of the {wildcards.batch}"
    script:
        "../scripts/read_texts.py"
