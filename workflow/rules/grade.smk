# Grading (paper section 5.1; prompt in appendix C.3).
#
# Grades the original and the hedged answer: CORRECT, INCORRECT, NOT_ATTEMPTED, or unparsed (counted,
# excluded, never defaulted). A freely written rewrite has a grade of its own, where that costs no call
# or is wanted. Recorded grades are compared with the reference grader's.
# Reads: questions, answers, rewrites. Makes: grades, rewrites/grades.
# Steered by: roles.grader, grading.rewrites, protocol (abstention sentence, outcome of rewrites).

GRADER = role("grader").method
REWRITE_GRADER = settings.rewrite_grader()


rule render_grades:
    input:
        questions=QUESTIONS,
        answers=per_target("answers"),
        code=code("render", "grading.grader"),
    output:
        f"{OUT}/requests/grade/{{model}}.parquet",
    log:
        f"{OUT}/logs/render_grades/{{model}}.log",
    benchmark:
        f"{OUT}/benchmarks/render_grades/{{model}}.jsonl"
    conda:
        CPU
    params:
        step=step("grading.grader", GRADER, "letter", seed=settings.seed),
        model=model_entry,
    message:
        "Requests to {wildcards.model}: grade the answers"
    script:
        "../scripts/render.py"


rule grade_answers:
    input:
        **answered("grade"),
        questions=QUESTIONS,
        answers=f"{OUT}/answers/{{target}}.parquet",
        recorded=recorded_samples,
        code=code("parse", "grading.grader"),
    output:
        grades=f"{OUT}/grades/{{target}}.parquet",
    log:
        f"{OUT}/logs/grade_answers/{{target}}.log",
    benchmark:
        f"{OUT}/benchmarks/grade_answers/{{target}}.jsonl"
    conda:
        CPU
    params:
        step=step("grading.grader", GRADER, "not_attempted"),
        of=of_target,
    message:
        "Grades of the answers of {wildcards.target}"
    script:
        "../scripts/parse.py"


rule render_rewrite_grades:
    input:
        questions=QUESTIONS,
        plan=f"{OUT}/rewrites/plan.parquet",
        rewrites=f"{OUT}/rewrites/rewrites.parquet",
        code=code("render", "grading.rewrites"),
    output:
        f"{OUT}/requests/grade_rewrites/{{model}}.parquet",
    log:
        f"{OUT}/logs/render_rewrite_grades/{{model}}.log",
    benchmark:
        f"{OUT}/benchmarks/render_rewrite_grades/{{model}}.jsonl"
    conda:
        CPU
    params:
        step=step("grading.rewrites", REWRITE_GRADER, "letter", seed=settings.seed),
        model=model_entry,
    message:
        "Requests to {wildcards.model}: grade the freely written rewrites"
    script:
        "../scripts/render.py"


rule grade_rewrites:
    input:
        **answered("grade_rewrites"),
        questions=QUESTIONS,
        plan=f"{OUT}/rewrites/plan.parquet",
        rewrites=f"{OUT}/rewrites/rewrites.parquet",
        code=code("parse", "grading.rewrites"),
    output:
        rewrite_grades=f"{OUT}/rewrites/grades.parquet",
    log:
        f"{OUT}/logs/grade_rewrites.log",
    benchmark:
        f"{OUT}/benchmarks/grade_rewrites.jsonl"
    conda:
        CPU
    params:
        step=step("grading.rewrites", REWRITE_GRADER, "not_attempted"),
    message:
        "Grades of the freely written rewrites"
    script:
        "../scripts/parse.py"
