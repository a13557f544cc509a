"""The lexicon of hedging expressions (paper section 4.2, appendix D.1)."""

from ralc.lexicon.hedges import FRAMES, SOURCES, load_hedges

__all__ = ["FRAMES", "SOURCES", "load_hedges"]
