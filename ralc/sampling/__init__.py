"""Sampling the targets: Direct QA and Hedged QA (paper section 5.1, prompts in appendix C.1)."""

import lazy_loader as lazy

__getattr__, __dir__, __all__ = lazy.attach(
    __name__,
    submod_attrs={
        "prompting": ["clean_answer", "parse", "question_messages", "render"],
        "lengths": ["beyond"],
    },
)
