"""Grades of answers: CORRECT, INCORRECT, NOT_ATTEMPTED (paper section 5.1).

Two methods: `reference` compares an answer with the accepted and the known wrong ones, `llm` asks a language
model (the paper's). What a model says that is no grade, and what the comparison cannot decide, is ``unparsed``: a
value of its own, counted and excluded. A freely written rewrite has a grade of its own (`ralc.grading.grader`).
"""

import lazy_loader as lazy

__getattr__, __dir__, __all__ = lazy.attach_stub(__name__, __file__)
