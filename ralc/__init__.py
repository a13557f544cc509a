"""Retrieval-Augmented Linguistic Calibration: make a language model's words match its certainty.

Submodules load on first use, so that ``import ralc`` stays fast.
"""

import lazy_loader as lazy

__version__ = "0.2.0"

__getattr__, __dir__, __all__ = lazy.attach_stub(__name__, __file__)
