"""Grades of answers: CORRECT, INCORRECT, NOT_ATTEMPTED (paper section 5.1).

Two methods: `reference` compares an answer with the accepted and the known wrong ones, `llm` asks a language
model (the paper's). What a model says that is no grade is ``unparsed``: a value of its own, counted and
excluded.
"""

from ralc.grading.llm import grade_llm, parse_grade, render
from ralc.grading.reference import grade_reference, reference_grade
from ralc.grading.table import CORRECT, INCORRECT, NOT_ATTEMPTED, UNPARSED

__all__ = [
    "CORRECT",
    "INCORRECT",
    "NOT_ATTEMPTED",
    "UNPARSED",
    "grade_llm",
    "grade_reference",
    "parse_grade",
    "reference_grade",
    "render",
]
