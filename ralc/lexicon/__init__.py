"""The lexicon of hedging expressions (paper section 4.2, appendix D.1)."""

from ralc.lexicon.fit import AUDIT_BOUND, audit_flags, fit_lexicon
from ralc.lexicon.hedges import FRAMES, SOURCES, load_hedges
from ralc.lexicon.sourcing import parse_hedges, render_hedges, source_hedges
from ralc.lexicon.table import Lexicon

__all__ = [
    "AUDIT_BOUND",
    "FRAMES",
    "SOURCES",
    "Lexicon",
    "audit_flags",
    "fit_lexicon",
    "load_hedges",
    "parse_hedges",
    "render_hedges",
    "source_hedges",
]
