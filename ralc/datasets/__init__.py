"""Questions in one normalised table, whatever dataset they come from (paper section 5.1)."""

import lazy_loader as lazy

__getattr__, __dir__, __all__ = lazy.attach(
    __name__,
    submod_attrs={
        "validation": ["Findings", "check"],
        "loading": ["READERS", "load", "prepare"],
        "questions": ["questions_table", "split"],
        "worldfacts": ["WORLDFACTS"],
    },
)
