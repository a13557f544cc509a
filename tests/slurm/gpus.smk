# Two jobs with a GPU each, which wait for each other at most a minute, and then one with two; each notes what it saw.

import re
import sys
from pathlib import Path

# As in workflow/Snakefile: this interpreter may lie in a folder of any name.
if Path(sys.executable).exists():
    sys.executable = re.sub(r"([^\w@%+=:,./-])", r"\\\1", sys.executable)


rule all:
    input:
        "two",


rule one:
    output:
        "one_{name}",
    resources:
        gpu=1,
    shell:
        "date +%s.%N > begun_{wildcards.name}; for _ in $(seq 60); do test $(ls begun_* | wc -l) = 2 && break; sleep 1; done;"
        " cp begun_{wildcards.name} {output}; echo $SLURM_JOB_ID $CUDA_VISIBLE_DEVICES >> {output}; date +%s.%N >> {output}"


rule two:
    input:
        "one_a",
        "one_b",
    output:
        "two",
    resources:
        gpu=2,
    shell:
        "echo $SLURM_JOB_ID $CUDA_VISIBLE_DEVICES >> runs; cp runs {output}"
