"""Uncertainty of every reported figure: item bootstrap, paired differences, Holm, means over models.

A `Statistic` turns weights of the items into a number; the builders below make one from arrays. `bootstrap`
puts the same resamples to all statistics, so that any two of them are paired: a difference of two methods, or
a mean over models, is a combination of what one bootstrap drew.

>>> import numpy as np
>>> from ralc import Beta
>>> outcome, before, after = [1, 0, 1, 1], Beta([8, 8, 6, 7], 2), Beta([8, 2, 6, 7], 2)
>>> drawn = bootstrap(
...     {"before": brier_score(outcome, before.mean), "after": brier_score(outcome, after.mean)},
...     items=4,
...     rng=np.random.default_rng(0),
... )
>>> drawn.combine({"change": {"after": 1, "before": -1}}).table(null=0.0)["value"].round(4)
change   -0.0975
Name: value, dtype: float64
"""

from ralc.statistics.builders import (
    Statistic,
    auroc,
    brier_score,
    constant,
    expected_calibration_error,
    mean,
    mean_gap,
    of_items,
    pearson,
    spearman,
)
from ralc.statistics.distribution import Drawn, absolute_sum
from ralc.statistics.intervals import FEWEST, WIDTHLESS, holm, interval_columns, intervals
from ralc.statistics.resampling import Bootstrap, Resamples, bootstrap, groups_of, resample

__all__ = [
    "FEWEST",
    "WIDTHLESS",
    "Bootstrap",
    "Drawn",
    "Resamples",
    "Statistic",
    "absolute_sum",
    "auroc",
    "bootstrap",
    "brier_score",
    "constant",
    "expected_calibration_error",
    "groups_of",
    "holm",
    "interval_columns",
    "intervals",
    "mean",
    "mean_gap",
    "of_items",
    "pearson",
    "resample",
    "spearman",
]
