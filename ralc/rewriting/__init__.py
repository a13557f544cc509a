"""Rewriting: an answer in words that are as sure as a target confidence (paper section 4.2).

`Rewriter` does it for applications and for the workflow. Two methods write: ``guided``, where hedges are put into
their places by grammar, and ``llm``, the paper's prompts (`ralc.rewriting.requests`). Both give RALC's rewrites, those
of the baselines Direct Beta-guided and constant hedge, and the sentences of the lexicon.
"""

import lazy_loader as lazy

__getattr__, __dir__, __all__ = lazy.attach(
    __name__,
    submod_attrs={
        "candidates": ["choose_rewrites", "list_candidates", "to_be_read"],
        "lexicon_sentences": ["STATEMENTS", "parse_lexicon", "render_lexicon"],
        "requests": ["render_rewrites"],
        "rewriter": ["Rewrite", "RewrittenClaim", "Rewriter"],
        "skip": ["skip_reason"],
    },
)
