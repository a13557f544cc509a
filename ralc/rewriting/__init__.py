"""Rewriting: an answer in words that are as sure as a target confidence (paper section 4.2).

Two methods: ``guided``, where hedges are put into their places by grammar (`ralc.rewriting.guided`), and ``llm``, the
paper's prompts (`ralc.rewriting.paper`). Both give RALC's rewrites, those of the baselines Direct Beta-guided and
constant hedge, and the sentences of the lexicon. Of several candidates the reader in the loop chooses
(`ralc.rewriting.choosing`); a model whose best text is read far from its target is asked once more
(`ralc.rewriting.correcting`).
"""

import lazy_loader as lazy

__getattr__, __dir__, __all__ = lazy.attach(
    __name__,
    submod_attrs={
        "choosing": ["choose", "to_be_read"],
        "lexicon_sentences": ["parse_lexicon", "render_lexicon"],
        "listing": ["list_candidates"],
        "passing": ["passes"],
        "tasks": ["render_rewrites"],
        "unverifiable": ["STATEMENTS"],
    },
)
