"""Confidence signals beside the words: arrays in, a Beta out (paper section 4.3, and the literature).

One small function a signal names its source, its range and what its concentration means. `of_answers` has each by its
name (`ralc.registry.SIGNALS`), from the answers to one question. All modules here are imported, so that a signal is
found by its decorator.
"""

from importlib import import_module
from pkgutil import iter_modules

from ralc.registry import READ_SIGNAL, SIGNALS, require_functions
from ralc.signals.agreement import (
    OF_ANSWERS,
    Answers,
    discrete_semantic_entropy,
    of_answers,
    semantic_uncertainty,
)
from ralc.signals.claim_support import OF_SENTENCES, covered, of_sentences, support, support_if_mentioned
from ralc.signals.token_probability import (
    minimum_token_probability,
    of_own_tokens,
    p_true,
    perplexity,
    token_probability,
)

__all__ = [
    "OF_ANSWERS",
    "OF_SENTENCES",
    "Answers",
    "covered",
    "discrete_semantic_entropy",
    "minimum_token_probability",
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

for _module in iter_modules(__path__):
    import_module(f"{__name__}.{_module.name}")
require_functions(
    "ralc.registry.SIGNALS",
    [name for name, signal in SIGNALS.items() if name != READ_SIGNAL and not signal.needs_extra_call],
    OF_ANSWERS,
    "mark one in ralc/signals/ with `makes`",
)
