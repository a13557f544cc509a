"""Clusters of answers that mean the same, and the original answer of a question (paper section 5.2.1).

The largest cluster of a question's sampled answers speaks for the model: its first answer is the original
response, its size the support. A method is a class: one by words, one that asks a model (the paper's).
"""

import lazy_loader as lazy

__getattr__, __dir__, __all__ = lazy.attach_stub(__name__, __file__)
