"""Confidence signals beside the words: arrays in, a Beta out (paper section 4.3, and the literature).

One small function a signal names its source, its range and what its concentration means. `of_answers` has each by its
name (`ralc.registry.SIGNALS`), from the answers to one question.
"""

from ralc.signals.agreement import (
    OF_ANSWERS,
    Answers,
    discrete_semantic_entropy,
    of_answers,
    semantic_uncertainty,
)
from ralc.signals.claim_support import OF_SENTENCES, covered, of_sentences, support, support_if_mentioned
from ralc.signals.token_probability import of_own_tokens, p_true, perplexity, token_probability

__all__ = [
    "OF_ANSWERS",
    "OF_SENTENCES",
    "Answers",
    "covered",
    "discrete_semantic_entropy",
    "of_answers",
    "of_own_tokens",
    "of_sentences",
    "p_true",
    "perplexity",
    "semantic_uncertainty",
    "support",
    "support_if_mentioned",
    "token_probability",
]
