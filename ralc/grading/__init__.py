"""Grades of answers: CORRECT, INCORRECT, NOT_ATTEMPTED (paper section 5.1).

A method is a class: one compares an answer with the accepted and the known wrong ones, one asks a language model (the
paper's), one takes the grades of recorded samples. What a model says that is no grade, and what the comparison cannot
decide, is ``unparsed``: a value of its own, counted and excluded.
"""

import lazy_loader as lazy

__getattr__, __dir__, __all__ = lazy.attach_stub(__name__, __file__)
