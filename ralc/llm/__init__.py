"""Model calls: requests, the journal of what was answered, and the engines that answer."""

import lazy_loader as lazy

__getattr__, __dir__, __all__ = lazy.attach_stub(__name__, __file__)
