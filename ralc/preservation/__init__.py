"""Content preservation: how much of an original answer its rewrite keeps (paper section 5.3).

Two methods. ``overlap`` counts shared content words: it sees a lost or an added word, and nothing of what
words mean together, so it is no entailment and is never called so. ``entailment`` is the paper's, a
natural-language-inference model, which is asked as any other is (`ralc.llm.engines.entailment`).
"""

import lazy_loader as lazy

__getattr__, __dir__, __all__ = lazy.attach(
    __name__,
    submod_attrs={
        "content": ["Content", "overlap"],
        "scoring": ["DIRECTIONS", "entailment_score", "not_entailed", "render", "score"],
    },
)
