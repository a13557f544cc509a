# Perceived confidence (paper section 3.1; prompt in appendix C.2).
#
# Reads a batch of texts, each distinct text once, by the evaluator in the loop and by the
# independent judge; the readings of a text become a Beta distribution by moments.
# Reads: answers, or rewrites. Makes: readings.
# Steered by: roles.evaluator, roles.judge, readers, protocol.


def texts_of(wildcards):
    """The tables that hold the texts of a batch."""
    return {"answers": per_target("answers"), "rewrites": [f"{OUT}/rewrites/rewrites.parquet"]}[wildcards.batch]


rule read_texts:
    message:
        "Perceived confidence of the {wildcards.batch}"
    input:
        texts=texts_of,
        code=code("readers", "beta"),
        figures=READER_FIGURES,
    output:
        f"{OUT}/readings/{{batch}}.parquet",
    params:
        readers={"evaluator": plain(role("evaluator")), "judge": plain(role("judge"))},
        audience=settings.readers.audience,
        protocol=settings.protocol,
    wildcard_constraints:
        batch="answers|rewrites",
    log:
        f"{OUT}/logs/read_texts/{{batch}}.log",
    conda:
        CPU
    script:
        "../scripts/read_texts.py"
