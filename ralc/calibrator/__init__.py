"""RALC in an application: one object that is fitted, saved, loaded, and puts answers into calibrated words.

It holds a signal, a calibration map, a lexicon, an evaluator and a protocol, and calls the same code as the workflow.
Submodules load on first use: a card can be read without them.
"""

import lazy_loader as lazy

__getattr__, __dir__, __all__ = lazy.attach(
    __name__,
    submod_attrs={
        "confidence": ["Design"],
        "estimator": ["WordCalibrator"],
        "evaluation": ["Evaluation"],
        "default_lexicon": ["built_in_lexicon"],
    },
)
