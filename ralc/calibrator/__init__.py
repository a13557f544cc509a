"""RALC in an application: one object that is fitted, saved, loaded, and puts answers into calibrated words."""

import lazy_loader as lazy

__getattr__, __dir__, __all__ = lazy.attach(
    __name__,
    submod_attrs={
        "confidence": ["SamplingDesign"],
        "estimator": ["WordCalibrator"],
        "evaluation": ["Evaluation"],
        "default_lexicon": ["built_in_lexicon"],
    },
)
