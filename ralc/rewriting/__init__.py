"""Rewriting: an answer in words that are as sure as a target confidence (paper section 4.2).

Two methods: ``guided``, for a very small model (`ralc.rewriting.guided`), and ``llm``, the paper's prompts
(`ralc.rewriting.paper`). Both write RALC's rewrites, those of the baselines Direct Beta-guided and constant
hedge, and the sentences of the lexicon.
"""

from ralc.rewriting.lexicon_sentences import parse_lexicon, render_lexicon
from ralc.rewriting.statements import STATEMENTS
from ralc.rewriting.tasks import METHODS, parse_rewrites, render_rewrites

__all__ = [
    "METHODS",
    "STATEMENTS",
    "parse_lexicon",
    "parse_rewrites",
    "render_lexicon",
    "render_rewrites",
]
