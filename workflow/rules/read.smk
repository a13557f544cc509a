# Perceived confidence (paper section 3.1; prompt in appendix C.2).
#
# Reads a batch of texts, each distinct text once, by the evaluator in the loop and by the
# independent judge; the readings of a text become a Beta distribution by moments.
# Reads: answers, rewrites, or the benchmark's texts (the lexicon's sentences are scored in lexicon.smk).
# Makes: readings.
# Steered by: roles.evaluator, roles.judge, readers, protocol.


rule render_readings:
    input:
        texts=texts_of,
        prompts=prompts("evaluator"),
        figures=READER_FIGURES,
        code=code("readers/llm", "readers/humancues"),
    output:
        f"{OUT}/requests/read_{{batch}}/{{model}}.parquet",
    log:
        f"{OUT}/logs/render_readings/{{batch}}/{{model}}.log",
    wildcard_constraints:
        batch="answers|rewrites|lexicon|benchmark",
    conda:
        CPU
    params:
        how=reading_request,
    message:
        "Requests to {wildcards.model}: read the {wildcards.batch}"
    script:
        "../scripts/render_readings.py"


rule read_texts:
    input:
        **asked("evaluator", "read_{batch}"),
        texts=texts_of,
        code=code("readers", "steps/reading", "beta"),
        figures=READER_FIGURES,
    output:
        f"{OUT}/readings/{{batch}}.parquet",
    log:
        f"{OUT}/logs/read_texts/{{batch}}.log",
    wildcard_constraints:
        batch="answers|rewrites|benchmark",
    conda:
        CPU
    params:
        readers=[role("evaluator").reader, role("judge").reader],
        audience=settings.readers.audience,
        protocol=PROTOCOL.choices(*MOMENTS),
    message:
        "Perceived confidence of the {wildcards.batch}"
    script:
        "../scripts/read_texts.py"
