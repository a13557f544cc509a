"""The answers of a condition as arrays: where each is in the bootstrap, whether it was right, how sure it sounds."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pandas as pd

from ralc.beta import Beta
from ralc.conditions import COLUMNS, UNIT, Condition
from ralc.metrics import is_constant
from ralc.pipeline.metrics_plan import ATTEMPTED, View
from ralc.registry import ABSTAINING, CONTROLLED, HALVES, NOT_ATTEMPTED, UNANSWERED, UNPARSED, metrics_by

_QUESTION = ["group", "answerable", "subject"]
#: The columns of items that metrics are computed from.
NEEDED = [*COLUMNS, *UNIT, *_QUESTION, "outcome", "grade", "abstained", "alpha", "beta", "origin"]
NEEDED += metrics_by("preservation")


@dataclass(frozen=True)
class Questions:
    """The questions of a dataset, in the order of their ids: what is resampled."""

    ids: pd.Index
    groups: np.ndarray
    answerable: np.ndarray
    subjects: np.ndarray

    @classmethod
    def of(cls, items: pd.DataFrame) -> "Questions":
        """Return the questions of the items of one dataset."""
        distinct = items.drop_duplicates(UNIT).sort_values(UNIT)
        columns = (distinct[column].to_numpy() for column in _QUESTION)
        return cls(pd.MultiIndex.from_frame(distinct[UNIT]), *columns)

    def within(self, subset: str) -> np.ndarray:
        """Return whether each question is in a half of the dataset or in a subject."""
        if subset in ("all", *ABSTAINING, *CONTROLLED):
            return np.ones(len(self.ids), dtype=bool)
        if subset in HALVES:
            return self.answerable.astype(bool) == (subset == "answerable")
        return self.subjects == subset


@dataclass(frozen=True)
class Answers:
    """All answers of one condition, in the order of the questions; NaN where there is no grade or evaluation.

    `rates` has, by the metric's name, what was lost (0 or 1 an answer) and what the text keeps.
    """

    position: np.ndarray
    outcome: np.ndarray
    alpha: np.ndarray
    beta: np.ndarray
    abstained: np.ndarray
    rates: Mapping[str, np.ndarray]

    @cached_property
    def usable(self) -> np.ndarray:
        """Which are graded and read."""
        return ~np.isnan(self.outcome) & ~np.isnan(self.alpha)

    def confidence(self, chosen: np.ndarray) -> Beta:
        """Return the confidence of some usable answers."""
        return Beta(self.alpha[chosen], self.beta[chosen])

    def within(self, view: View, questions: Questions, tail: float) -> np.ndarray:
        """Return which answers are in a view; `tail` is the share of answers at each end of table 1."""
        chosen = questions.within(view.subset)[self.position]
        if view.variant == ATTEMPTED:
            chosen = chosen & (self.rates["not_attempted_rate"] == 0)
        if view.subset in ABSTAINING:
            chosen = chosen & (self.abstained == (view.subset == "abstained"))
        return chosen & self._controlled(view.subset, tail) if view.subset in CONTROLLED else chosen

    def _controlled(self, subset: str, tail: float) -> np.ndarray:
        """Which usable answers are in a cell of table 1, by quantiles of mean and concentration.

        None where the quantiles are one: semantic uncertainty has the same concentration for every answer.
        """
        at_mean, at_concentration, outcome = CONTROLLED[subset]
        cell = self.usable & (self.outcome == outcome)
        concentration = self.alpha + self.beta
        for values, end in ((self.alpha / concentration, at_mean), (concentration, at_concentration)):
            if self.usable.any():
                low, high = np.quantile(values[self.usable], [tail, 1 - tail])
                apart = not is_constant(np.array([low, high]))
                cell = cell & apart & (values >= high if end == "high" else values <= low)
        return cell


def answers_of(items: pd.DataFrame, questions: Questions) -> dict[Condition, Answers]:
    """Return the answers of every condition of the items of one target and dataset."""
    position = questions.ids.get_indexer(pd.MultiIndex.from_frame(items[UNIT]))
    columns = {
        name: items[name].to_numpy(np.float64, na_value=np.nan) for name in ("outcome", "alpha", "beta")
    }
    columns["abstained"] = items["abstained"].to_numpy(bool)
    unanswered = items["grade"] == UNANSWERED
    lost = {
        "unanswered_rate": unanswered,
        "not_attempted_rate": items["grade"] == NOT_ATTEMPTED,
        "unparsed_rate": items["grade"] == UNPARSED,
        "unscored_rate": items["alpha"].isna() & ~unanswered,
        "fallback_rate": items["origin"].isin(["template", "kept", "none"]),
        "passed_rate": items["origin"] == "passed",
        "left_rate": items["origin"] == "left",
    }
    rates = {name: flags.to_numpy(np.float64) for name, flags in lost.items()}
    rates |= {name: items[name].to_numpy(np.float64) for name in metrics_by("preservation")}
    codes = items[COLUMNS].astype("category")
    by_condition = {}
    for key, rows in codes.groupby(COLUMNS, sort=False, observed=True).indices.items():
        ordered = rows[np.argsort(position[rows], kind="stable")]
        by_condition[Condition(*key)] = Answers(
            position[ordered],
            **{name: values[ordered] for name, values in columns.items()},
            rates={name: values[ordered] for name, values in rates.items()},
        )
    return by_condition
