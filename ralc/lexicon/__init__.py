"""The lexicon of hedging expressions (paper section 4.2, appendix D.1)."""

import lazy_loader as lazy

__getattr__, __dir__, __all__ = lazy.attach(
    __name__,
    submod_attrs={
        "asked": ["asked_lexicon"],
        "flags": ["AUDIT_BOUND", "audit_flags", "entry_flags", "foreseen", "remarks"],
        "committed": ["SOURCES"],
        "estimation": ["audit", "fit_lexicon"],
        "expressions": ["load_hedges"],
        "sourcing": ["parse_hedges", "render_hedges", "source_hedges"],
        "table": ["Lexicon"],
    },
)
