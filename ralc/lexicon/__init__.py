"""The lexicon of hedging expressions (paper section 4.2, appendix D.1)."""

import lazy_loader as lazy

__getattr__, __dir__, __all__ = lazy.attach(
    __name__,
    submod_attrs={
        "flags": ["audit_flags", "entry_flags", "foreseen", "remarks"],
        "estimation": ["fit_lexicon"],
        "expressions": ["SOURCES", "asked_lexicon", "load_hedges"],
        "sourcing": ["parse_hedges", "render_hedges", "source_hedges"],
        "table": ["Lexicon"],
    },
)
