"""Answers that somebody else sampled: `read` a file of them, `convert` what another tool saved (``ralc import``)."""

import lazy_loader as lazy

__getattr__, __dir__, __all__ = lazy.attach_stub(__name__, __file__)
