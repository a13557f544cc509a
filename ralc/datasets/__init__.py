"""Questions in one normalised table, whatever dataset they come from (paper section 5.1)."""

import lazy_loader as lazy

__getattr__, __dir__, __all__ = lazy.attach_stub(__name__, __file__)
