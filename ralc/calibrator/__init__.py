"""RALC in an application: one object that is fitted, saved, loaded, and puts answers into calibrated words.

It holds a signal, a calibration map, a lexicon, a reader and a protocol, and calls the same code as the
workflow: `ralc.calibration`, `ralc.retrieval`, `ralc.readers`, `ralc.rewriting`.
"""

from ralc.calibrator.estimator import WordCalibrator
from ralc.calibrator.evaluation import Evaluation
from ralc.calibrator.words import Rewritten

__all__ = ["Evaluation", "Rewritten", "WordCalibrator"]
