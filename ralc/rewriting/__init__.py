"""Rewriting: an answer in words that are as sure as a target confidence (paper section 4.2).

`Rewriter` does it for applications and for the workflow. Two methods write: ``guided`` puts hedges into their places by
grammar, ``llm`` asks by the paper's prompts (`ralc.rewriting.requests`).
"""

import lazy_loader as lazy

__getattr__, __dir__, __all__ = lazy.attach_stub(__name__, __file__)
