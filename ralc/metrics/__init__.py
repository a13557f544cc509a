"""How good a confidence is: faithfulness and calibration of Beta confidences.

Every function takes ``(outcome, forecast)``. An outcome is 1 for a right answer and 0 for a wrong one. A forecast is a
`ralc.Beta` of the same shape, or an array of means in [0, 1]. Bad input is refused: drop, and count, unparsed items
first. No metric here says everything. A constant confidence at the base rate looks calibrated and faithful, so show
AUROC and the Brier score of the means beside them (scikit-learn's ``roc_auc_score`` and ``brier_score_loss``).

An outcome in between is the share of an answer's facts that are right. Brier scores take the squared distance to it.
FD, KL and log loss take their expectation over the facts. Calibration errors and biases are linear in it. AUROC counts
the answer among the right ones with its share and among the wrong ones with the rest.
"""

from ralc.metrics import instance, population
from ralc.metrics.instance import *  # noqa: F403
from ralc.metrics.population import *  # noqa: F403
from ralc.registry import METRICS, metrics_by, require_functions

__all__ = instance.__all__ + population.__all__
require_functions(
    "ralc.registry.METRICS",
    [METRICS[name].of or name for name in metrics_by("items")],
    __all__,
    "write one of this name in ralc/metrics/, and name it in `__all__`",
)
