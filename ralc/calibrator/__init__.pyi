from .confidence import SamplingDesign as SamplingDesign
from .default_lexicon import built_in_lexicon as built_in_lexicon
from .drift import FreshTest as FreshTest
from .estimator import WordCalibrator as WordCalibrator
from .evaluation import Evaluation as Evaluation
from .policy import Policy as Policy
