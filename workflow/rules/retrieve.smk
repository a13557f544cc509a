# Retrieval (paper section 4.2).
#
# For every calibrated signal the k nearest hedges of the lexicon; for the constant hedge, the one
# entry nearest to the train accuracy.
# Reads: calibrated, lexicon, grades. Makes: retrieved.
# Steered by: retrieval, ablations (hedges, lexicon, loop), run.methods, protocol (flagged entries, samples).


rule retrieve_hedges:
    input:
        questions=QUESTIONS,
        calibrated=f"{OUT}/calibrated/{{target}}.parquet",
        grades=f"{OUT}/grades/{{target}}.parquet",
        lexicon=f"{OUT}/lexicon/lexicon.parquet",
        code=code("parse", "pipeline.rewrite_plan"),
    output:
        retrieved=f"{OUT}/retrieved/{{target}}.parquet",
    log:
        f"{OUT}/logs/retrieve_hedges/{{target}}.log",
    benchmark:
        f"{OUT}/benchmarks/retrieve_hedges/{{target}}.jsonl"
    conda:
        CPU
    params:
        step=retrieval,
    message:
        "Hedges for the answers of {wildcards.target}"
    script:
        "../scripts/parse.py"
