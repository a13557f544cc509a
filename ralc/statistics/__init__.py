"""Uncertainty of every reported figure: item bootstrap, paired differences, Holm, means over models.

A `Statistic` turns weights of the items into a number. `bootstrap` puts the same resamples to all statistics, so any
two of its estimates are paired. A difference of two methods, or a mean over models, is a combination of them.

>>> import numpy as np
>>> values = {"before": mean([0, 1, 0, 1]), "after": mean([1, 1, 0, 1])}
>>> estimates = bootstrap(values, items=4, rng=np.random.default_rng(0))
>>> change = Estimate.combine([(estimates["after"], 1), (estimates["before"], -1)])
>>> intervals({"change": change}, null=0.0)["value"].tolist()
[0.25]
"""

from ralc.statistics.intervals import (
    FEWEST,
    FEWEST_OF_EACH,
    WIDTHLESS,
    Estimate,
    absolute_sum,
    holm,
    intervals,
)
from ralc.statistics.resampling import Resamples, bootstrap, groups_of, resample
from ralc.statistics.weighted import (
    Statistic,
    auroc,
    constant,
    mean,
    mean_gap,
    of_items,
    pearson,
    spearman,
)

__all__ = [
    "FEWEST",
    "FEWEST_OF_EACH",
    "WIDTHLESS",
    "Estimate",
    "Resamples",
    "Statistic",
    "absolute_sum",
    "auroc",
    "bootstrap",
    "constant",
    "groups_of",
    "holm",
    "intervals",
    "mean",
    "mean_gap",
    "of_items",
    "pearson",
    "resample",
    "spearman",
]
