"""RALC in an application: one object that is fitted, saved, loaded, and puts answers into calibrated words."""

import lazy_loader as lazy

__getattr__, __dir__, __all__ = lazy.attach_stub(__name__, __file__)
