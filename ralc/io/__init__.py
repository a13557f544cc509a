"""Files and the console: a run's own tables, users' tables, downloads, progress."""

import lazy_loader as lazy

__getattr__, __dir__, __all__ = lazy.attach_stub(__name__, __file__)
