# Two jobs with a GPU each that must run at the same time, and one with two; each notes what it saw.


rule all:
    input:
        "one_a",
        "one_b",
        "two",


rule one:
    output:
        "one_{name}",
    resources:
        gpu=1,
    shell:
        "date +%s.%N >> {output}; sleep 4; echo $SLURM_JOB_ID $CUDA_VISIBLE_DEVICES >> {output}; date +%s.%N >> {output}"


rule two:
    output:
        "two",
    resources:
        gpu=2,
    shell:
        "echo $SLURM_JOB_ID $CUDA_VISIBLE_DEVICES >> runs; cp runs {output}"
