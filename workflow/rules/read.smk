# Perceived confidence (paper section 3.1; prompt in appendix C.2).
#
# Reads a batch of items by the selection evaluator and by the test evaluators. An item is an answer, a candidate for a
# rewrite, a rewritten answer under one condition, or a sentence of the lexicon. Equal texts have equal readings, unless
# the protocol reads every item anew. The readings of an item become a Beta distribution by moments. Of answers the
# selection evaluator's are a table of their own: a further test evaluator reruns no signal.
# Reads: answers, rewrites, or the texts of human studies (the lexicon's sentences are scored in lexicon.smk).
# Makes: texts, readings/{evaluator,test_evaluators,evaluators}.
# Steered by: evaluators, roles.evaluator, roles.test_evaluators, protocol.


rule list_answers:
    input:
        questions=QUESTIONS,
        answers=per_target("answers"),
        code=code("list_answers"),
    output:
        f"{OUT}/texts/answers.parquet",
    log:
        f"{OUT}/logs/list_answers.log",
    localrule: True
    conda:
        CPU
    params:
        protocol=PROTOCOL.choices("letter"),
    message:
        "Answers to be read"
    script:
        "../scripts/list_answers.py"


rule list_sentences:
    input:
        sentences=f"{OUT}/lexicon/sentences.parquet",
        code=code("list_sentences"),
    output:
        f"{OUT}/texts/lexicon.parquet",
    log:
        f"{OUT}/logs/list_sentences.log",
    localrule: True
    conda:
        CPU
    message:
        "Sentences of the lexicon to be read"
    script:
        "../scripts/list_sentences.py"


rule render_readings:
    input:
        texts=f"{OUT}/texts/{{batch}}.parquet",
        code=code("render", "pipeline.perceived_confidence"),
    output:
        f"{OUT}/requests/read_{{batch}}/{{model}}.parquet",
    log:
        f"{OUT}/logs/render_readings/{{batch}}/{{model}}.log",
    benchmark:
        f"{OUT}/benchmarks/render_readings/{{batch}}/{{model}}.jsonl"
    wildcard_constraints:
        batch="answers|candidates|corrections|rewrites|lexicon|people",
    conda:
        CPU
    params:
        step=reading_requests,
        model=model_entry,
    message:
        "Requests to {wildcards.model}: read the {wildcards.batch}"
    script:
        "../scripts/render.py"


rule read_texts:
    input:
        unpack(answered_readings),
        texts=f"{OUT}/texts/{{batch}}.parquet",
        code=code("parse", "pipeline.perceived_confidence"),
    output:
        readings=f"{OUT}/readings/{{role}}/{{batch}}.parquet",
    log:
        f"{OUT}/logs/read_texts/{{role}}/{{batch}}.log",
    benchmark:
        f"{OUT}/benchmarks/read_texts/{{role}}/{{batch}}.jsonl"
    wildcard_constraints:
        role="evaluator|test_evaluators|evaluators",
        batch="answers|candidates|corrections|rewrites|people",
    conda:
        CPU
    params:
        step=reading,
    message:
        "Perceived confidence of the {wildcards.batch}, by the {wildcards.role}"
    script:
        "../scripts/parse.py"
