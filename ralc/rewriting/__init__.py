"""Rewriting: an answer in words that are as sure as a target confidence (paper section 4.2).

Two methods: ``guided``, for a very small model (`ralc.rewriting.guided`), and ``llm``, the paper's prompts
(`ralc.rewriting.paper`). Both write RALC's rewrites, those of the baselines Direct Beta-guided and constant
hedge, and the sentences of the lexicon.
"""

import lazy_loader as lazy

__getattr__, __dir__, __all__ = lazy.attach(
    __name__,
    submod_attrs={
        "lexicon_sentences": ["parse_lexicon", "render_lexicon"],
        "statements": ["STATEMENTS"],
        "tasks": ["METHODS", "parse_rewrites", "render_rewrites"],
    },
)
