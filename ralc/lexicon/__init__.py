"""The lexicon of hedging expressions (paper section 4.2, appendix D.1)."""

import lazy_loader as lazy

__getattr__, __dir__, __all__ = lazy.attach_stub(__name__, __file__)
