"""The lexicon of hedging expressions (paper section 4.2, appendix D.1)."""

import lazy_loader as lazy

__getattr__, __dir__, __all__ = lazy.attach(
    __name__,
    submod_attrs={
        "asked": ["asked_lexicon"],
        "fit": ["AUDIT_BOUND", "audit", "audit_flags", "fit_lexicon"],
        "hedges": ["SOURCES", "load_hedges"],
        "own": ["remarks"],
        "sourcing": ["parse_hedges", "render_hedges", "source_hedges"],
        "table": ["Lexicon"],
    },
)
