"""The lexicon of hedging expressions (paper section 4.2, appendix D.1)."""

import lazy_loader as lazy

__getattr__, __dir__, __all__ = lazy.attach(
    __name__,
    submod_attrs={
        "estimation": ["audit_flags", "entry_flags", "fit_lexicon", "foreseen", "remarks"],
        "expressions": ["SOURCES", "survey_lexicon", "load_hedges"],
        "sourcing": ["parse_hedges", "render_hedges", "source_hedges"],
        "table": ["Lexicon"],
    },
)
