"""How good a confidence is: faithfulness, calibration and discrimination of Beta confidences.

Every function takes ``(outcome, forecast)``: outcomes are 1 for a correct answer and 0 for a wrong one, a
forecast is a `ralc.Beta` of the same shape or an array of means in [0, 1]. An outcome in between is the share of an
answer's facts that are right: the Brier scores take the squared distance to it; FD, KL and log loss their expectation
over the facts; calibration errors and biases, linear in the outcome, take it as it is; AUROC counts the answer among
the right ones with its share and among the wrong ones with the rest. What cannot be checked is refused:
drop, and count, unparsed items first. No metric here says everything: a constant confidence at the base rate
looks calibrated and faithful, so show AUROC and the Brier score beside them.
"""

from ralc.metrics import generalised, instance, population
from ralc.metrics.generalised import *  # noqa: F403
from ralc.metrics.instance import *  # noqa: F403
from ralc.metrics.population import *  # noqa: F403

__all__ = generalised.__all__ + instance.__all__ + population.__all__
