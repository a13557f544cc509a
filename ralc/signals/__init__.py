"""Confidence signals beside the words: arrays in, a Beta out (paper section 4.3, and the literature).

One small function a signal, which names its source, its range and what its concentration means. `of_answers` has each
by its name (`ralc.names.SIGNALS`), from the answers to one question; a further signal is one function there. Of a
sentence of a long answer, `OF_SENTENCES` has each from how much of it the other answers say, and `of_own_tokens` each
of log-probabilities from its own tokens.
"""

from ralc.signals.agreement import (
    cluster_count,
    discrete_semantic_entropy,
    semantic_entropy,
    semantic_uncertainty,
)
from ralc.signals.by_name import OF_ANSWERS, OF_SENTENCES, Answers, of_answers, of_own_tokens, of_sentences
from ralc.signals.first_token import first_token_entropy, first_token_margin, p_true
from ralc.signals.likelihood import (
    by_sentence,
    minimum_token_probability,
    perplexity,
    sequence_probability,
    token_probability,
)
from ralc.signals.similarity import degree, eccentricity, jaccard
from ralc.signals.support import said_in, support, support_where_spoken_of

__all__ = [
    "OF_ANSWERS",
    "OF_SENTENCES",
    "Answers",
    "by_sentence",
    "cluster_count",
    "degree",
    "discrete_semantic_entropy",
    "eccentricity",
    "first_token_entropy",
    "first_token_margin",
    "jaccard",
    "minimum_token_probability",
    "of_answers",
    "of_own_tokens",
    "of_sentences",
    "p_true",
    "perplexity",
    "said_in",
    "semantic_entropy",
    "semantic_uncertainty",
    "sequence_probability",
    "support",
    "support_where_spoken_of",
    "token_probability",
]
