# Grading (paper section 5.1; prompt in appendix C.3).
#
# Grades the original and the hedged answer: CORRECT, INCORRECT, NOT_ATTEMPTED, or unparsed (counted,
# excluded, never defaulted). A freely written rewrite has a grade of its own, where that costs no call
# or is wanted. Recorded grades are compared with the reference grader's.
# Reads: questions, answers, rewrites. Makes: grades, rewrites/grades.
# Steered by: roles.grader, grading.rewrites, protocol (abstention sentence, outcome of rewrites).


GRADING = {
    **PROTOCOL.choices("letter"),
    "seed": settings.seed,
}


rule render_grades:
    input:
        questions=QUESTIONS,
        answers=per_target("answers"),
        code=code("render_grades"),
    output:
        f"{OUT}/requests/grade/{{model}}.parquet",
    log:
        f"{OUT}/logs/render_grades/{{model}}.log",
    benchmark:
        f"{OUT}/benchmarks/render_grades/{{model}}.jsonl"
    conda:
        CPU
    params:
        targets=TARGETS,
        model=model_entry,
        how=GRADING,
    message:
        "Requests to {wildcards.model}: grade the answers"
    script:
        "../scripts/render_grades.py"


rule grade_answers:
    input:
        **answered("grade"),
        questions=QUESTIONS,
        answers=f"{OUT}/answers/{{target}}.parquet",
        recorded=recorded_samples,
        code=code("grade_answers"),
    output:
        f"{OUT}/grades/{{target}}.parquet",
    log:
        f"{OUT}/logs/grade_answers/{{target}}.log",
    benchmark:
        f"{OUT}/benchmarks/grade_answers/{{target}}.jsonl"
    conda:
        CPU
    params:
        method=role("grader").method,
        not_attempted=PROTOCOL.not_attempted,
    message:
        "Grades of the answers of {wildcards.target}"
    script:
        "../scripts/grade_answers.py"


rule render_rewrite_grades:
    input:
        questions=QUESTIONS,
        plan=f"{OUT}/rewrites/plan.parquet",
        rewrites=f"{OUT}/rewrites/rewrites.parquet",
        code=code("render_rewrite_grades"),
    output:
        f"{OUT}/requests/grade_rewrites/{{model}}.parquet",
    log:
        f"{OUT}/logs/render_rewrite_grades/{{model}}.log",
    benchmark:
        f"{OUT}/benchmarks/render_rewrite_grades/{{model}}.jsonl"
    conda:
        CPU
    params:
        model=model_entry,
        how=GRADING,
    message:
        "Requests to {wildcards.model}: grade the freely written rewrites"
    script:
        "../scripts/render_rewrite_grades.py"


rule grade_rewrites:
    input:
        **answered("grade_rewrites"),
        questions=QUESTIONS,
        plan=f"{OUT}/rewrites/plan.parquet",
        rewrites=f"{OUT}/rewrites/rewrites.parquet",
        code=code("grade_rewrites"),
    output:
        f"{OUT}/rewrites/grades.parquet",
    log:
        f"{OUT}/logs/grade_rewrites.log",
    benchmark:
        f"{OUT}/benchmarks/grade_rewrites.jsonl"
    conda:
        CPU
    params:
        how={
            "method": settings.rewrite_grader(),
            "not_attempted": PROTOCOL.not_attempted,
        },
    message:
        "Grades of the freely written rewrites"
    script:
        "../scripts/grade_rewrites.py"
