"""Answers that somebody else sampled: `read` a file of them, `convert` what another tool saved (``ralc import``)."""

import lazy_loader as lazy

__getattr__, __dir__, __all__ = lazy.attach(
    __name__,
    submod_attrs={
        "conversion": ["FORMATS", "convert", "questions_of", "samples_of", "write"],
        "samples": ["Samples", "read", "read_first"],
    },
)
