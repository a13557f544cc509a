"""How good a confidence is: faithfulness, calibration and discrimination of Beta confidences.

Every function takes ``(outcome, forecast)``: outcomes are 1 for a correct answer and 0 for a wrong one, a
forecast is a `ralc.Beta` of the same shape or an array of means in [0, 1]. An outcome in between is the share of an
answer's facts that are right: the Brier scores take the squared distance to it; FD, KL and log loss their expectation
over the facts; calibration errors and biases, linear in the outcome, take it as it is; AUROC counts the answer among
the right ones with its share and among the wrong ones with the rest. What cannot be checked is refused:
drop, and count, unparsed items first. No metric here says everything: a constant confidence at the base rate
looks calibrated and faithful, so show AUROC and the Brier score beside them.
"""

from ralc.metrics.generalised import (
    bin_gaps,
    bin_masses,
    generalised_ece,
    generalised_ece_null,
    null_of_masses,
)
from ralc.metrics.instance import (
    accuracy,
    concentration,
    expected_brier_score,
    expected_log_loss,
    faithfulness_divergence,
    faithfulness_divergence_parts,
    kl_divergence,
    mean_confidence,
    miscalibration_bias,
    squared_error,
)
from ralc.metrics.population import (
    auroc,
    brier_score,
    calibration_bin,
    expected_calibration_error,
    is_constant,
    mean_gaps,
    spearman,
)

__all__ = [
    "accuracy",
    "auroc",
    "bin_gaps",
    "bin_masses",
    "brier_score",
    "calibration_bin",
    "concentration",
    "expected_brier_score",
    "expected_calibration_error",
    "expected_log_loss",
    "faithfulness_divergence",
    "faithfulness_divergence_parts",
    "generalised_ece",
    "generalised_ece_null",
    "is_constant",
    "kl_divergence",
    "mean_confidence",
    "mean_gaps",
    "miscalibration_bias",
    "null_of_masses",
    "spearman",
    "squared_error",
]
