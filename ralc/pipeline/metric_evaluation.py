"""The terms of the plan as functions of resampled answers: the answers as arrays, and one function a kind of metric."""

import zlib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
import pandas as pd

from ralc import metrics, reliance, statistics
from ralc.beta import Beta
from ralc.conditions import ATTEMPTED, COLUMNS, UNIT, Condition
from ralc.metrics import is_constant
from ralc.pipeline.metrics_plan import Term, View
from ralc.registry import (
    ABSTAINING,
    CONTROLLED,
    HALVES,
    METRICS,
    NOT_ATTEMPTED,
    UNANSWERED,
    UNPARSED,
    metrics_by,
    require_functions,
)
from ralc.statistics import Statistic

_QUESTION = ["group", "answerable", "subject"]
#: The columns of items that metrics are computed from.
NEEDED = [*COLUMNS, *UNIT, *_QUESTION, "outcome", "grade", "abstained", "alpha", "beta", "origin"]
NEEDED += metrics_by("preservation")
#: The answers of which a metric may be (`ralc.registry.Metric.of`), by their outcome; a share counts to both.
_OF = {"wrong": lambda outcome: outcome < 1, "right": lambda outcome: outcome > 0}


@dataclass(frozen=True)
class Settings:
    """How results are measured.

    `bins` has the number of bins of gECE and ECE by variant, ``default`` among them. `null_repeats` are simulations of
    the gECE of a perfectly calibrated forecaster. `tail` is the share of answers at each end of mean and concentration
    in table 1. `samples` are draws an item of a Monte-Carlo gECE (protocol ``authors``); None computes it exactly.
    """

    bins: Mapping[str, int]
    resamples: int = 2000
    null_repeats: int = 200
    tail: float = 0.25
    samples: int | None = None
    seed: int = 0

    def rng(self, *names: str) -> np.random.Generator:
        """Return random numbers that depend on the seed and these names alone: adding a condition moves nothing."""
        return np.random.default_rng([self.seed, zlib.crc32("/".join(names).encode())])


def questions_of(items: pd.DataFrame) -> pd.DataFrame:
    """Return the questions of the items of one dataset, in the order of their ids: what is resampled."""
    return items.drop_duplicates(UNIT).set_index(UNIT)[_QUESTION].sort_index()


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

    def within(self, view: View, questions: pd.DataFrame, tail: float) -> np.ndarray:
        """Return which answers are in a view: True or False an answer.

        Parameters
        ----------
        view
            Its subset and variant decide.
        questions
            As `questions_of` returns them.
        tail
            The share of answers at each end of mean and concentration in table 1, in (0, 0.5].
        """
        if view.variant == ATTEMPTED:
            return self.rates["not_attempted_rate"] == 0
        if view.subset in CONTROLLED:
            return self._controlled(view.subset, tail)
        if view.subset in ABSTAINING:
            return self.abstained == (view.subset == "abstained")
        column = "subject"
        value = view.subset
        if view.subset in HALVES:
            column = "answerable"
            value = view.subset == "answerable"
        every = np.ones(len(questions), dtype=bool)
        return (every if view.subset == "all" else (questions[column] == value).to_numpy())[self.position]

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
                vary = not is_constant(np.array([low, high]))
                cell = cell & vary & (values >= high if end == "high" else values <= low)
        return cell


#: Which items are lost, by the metrics that count them.
_LOST: dict[str, Callable[[pd.DataFrame], pd.Series]] = {
    "unanswered_rate": lambda items: items["grade"] == UNANSWERED,
    "not_attempted_rate": lambda items: items["grade"] == NOT_ATTEMPTED,
    "unparsed_rate": lambda items: items["grade"] == UNPARSED,
    "unscored_rate": lambda items: items["alpha"].isna() & (items["grade"] != UNANSWERED),
    "fallback_rate": lambda items: items["origin"].isin(["template", "kept", "none"]),
    "passed_rate": lambda items: items["origin"] == "passed",
    "left_rate": lambda items: items["origin"] == "left",
}
require_functions(
    "ralc.registry.METRICS", metrics_by("losses"), _LOST, "write one in ralc/pipeline/metric_evaluation.py"
)


def answers_of(items: pd.DataFrame, questions: pd.DataFrame) -> dict[Condition, Answers]:
    """Return the answers of every condition of the items of one target and dataset."""
    rates = {name: lost(items) for name, lost in _LOST.items()}
    rates |= {name: items[name] for name in metrics_by("preservation")}
    rates = {name: values.to_numpy(np.float64) for name, values in rates.items()}
    columns = {name: items[name].to_numpy(float, na_value=np.nan) for name in ("outcome", "alpha", "beta")}
    columns |= {"position": questions.index.get_indexer(pd.MultiIndex.from_frame(items[UNIT]))}
    columns |= {"abstained": items["abstained"].to_numpy(bool)}
    sets = {}
    codes = items[COLUMNS].astype("category").groupby(COLUMNS, sort=False, observed=True)
    for key, rows in codes.indices.items():
        ordered = rows[np.argsort(columns["position"][rows], kind="stable")]
        sets[Condition(*key)] = Answers(
            **{name: values[ordered] for name, values in columns.items()},
            rates={name: values[ordered] for name, values in rates.items()},
        )
    return sets


@dataclass
class ConditionMetrics:
    """One condition of all answers of a target to a dataset. What many of its statistics need is computed once."""

    condition: Condition
    by_condition: Mapping[Condition, Answers]
    questions: pd.DataFrame
    settings: Settings
    _values: dict[tuple, np.ndarray] = field(default_factory=dict)
    _statistics: dict[tuple, Statistic | None] = field(default_factory=dict)

    def statistics(self, terms: Iterable[Term]) -> dict[Term, Statistic]:
        """Return the statistic of each term that has an answer; terms on the same answers share one."""
        by_term = {}
        for term in terms:
            chosen = self._chosen(term)
            computed = METRICS[term.metric].computed
            # A difference from another condition is on the answers of both; mostly they are all of them.
            pair = term.shared if computed in ("parts", "propagation") else None
            key = (term.metric, term.view.bins, term.view.situation, pair, chosen.tobytes())
            if chosen.any() and key not in self._statistics:
                statistic = STATISTICS[computed](self, term, chosen)
                self._statistics[key] = statistic and statistic.at(self.answers.position[chosen])
            by_term[term] = self._statistics.get(key)
        return {term: statistic for term, statistic in by_term.items() if statistic is not None}

    @property
    def answers(self) -> Answers:
        """The answers of the condition."""
        return self.by_condition[self.condition]

    def _chosen(self, term: Term) -> np.ndarray:
        """Which answers a term is about, computed once for all metrics of the same answers."""
        metric = METRICS[term.metric]
        view = term.view
        kind = term.metric if term.metric in self.answers.rates else metric.of
        key = ("chosen", view.subset, view.variant, term.shared, kind)
        if key not in self._values:
            self._values[key] = self._choose(term)
        return self._values[key]

    def _choose(self, term: Term) -> np.ndarray:
        """Which answers a term is about: of most metrics those that are graded and read."""

        def within(answers: Answers) -> np.ndarray:
            return answers.within(term.view, self.questions, self.settings.tail)

        metric = METRICS[term.metric]
        answers = self.answers
        if term.metric in answers.rates:
            return within(answers) & ~np.isnan(answers.rates[term.metric])
        chosen = answers.usable & within(answers)
        if term.shared is not None:
            partner = self.by_condition[term.shared]
            both = np.zeros(len(self.questions), dtype=bool)
            both[partner.position[partner.usable & within(partner)]] = True
            chosen &= both[answers.position]
        if metric.of in _OF:
            chosen &= _OF[metric.of](answers.outcome)
        return chosen

    def values(self, name: str, of: Callable[[np.ndarray, Beta], np.ndarray], *key: object) -> np.ndarray:
        """Return what is measured on all usable answers, NaN elsewhere; computed once by name and key.

        Parameters
        ----------
        name, key
            By which it is kept: a measure, and what it depends on besides.
        of
            Gives a value an answer (or an array's row), of the outcomes and the confidences.
        """
        if (name, *key) not in self._values:
            usable = self.answers.usable
            each = of(self.answers.outcome[usable], self.answers.confidence(usable))
            spread = np.full((len(usable), *each.shape[1:]), np.nan)
            spread[usable] = each
            self._values[(name, *key)] = spread
        return self._values[(name, *key)]

    def masses(self, bins: int, chosen: np.ndarray) -> np.ndarray:
        """Return the mass of each confidence in each bin, and the integral of p over it: what gECE is made of."""
        masses = self.values("masses", lambda y, s: np.stack(metrics.bin_masses(s, bins=bins), axis=-1), bins)
        return np.moveaxis(masses[chosen], -1, 0)

    def partner(self, term: Term, chosen: np.ndarray) -> tuple[Answers, np.ndarray]:
        """Return the other condition of a pair, and its answers to the chosen questions."""
        partner = self.by_condition[term.shared]
        return partner, np.searchsorted(partner.position, self.answers.position[chosen])


def _items(measured: ConditionMetrics, term: Term, chosen: np.ndarray) -> Statistic:
    """The mean of one value an answer."""
    metric = METRICS[term.metric]
    function = getattr(metrics, metric.of or term.metric)
    forecast = metric.forecast
    values = measured.values(term.metric, lambda y, s: function(y, s.mean if forecast == "mean" else s))
    return statistics.mean(values[chosen])


def _bins(measured: ConditionMetrics, term: Term, chosen: np.ndarray) -> Statistic:
    """The sum over bins of the absolute mean gap."""
    settings = measured.settings
    bins = term.view.bins

    def gaps(outcome: np.ndarray, confidence: Beta) -> np.ndarray:
        if METRICS[term.metric].forecast == "mean":
            return metrics.mean_gaps(outcome, confidence.mean, bins=bins)
        rng = settings.rng("gece", term.condition.name, str(bins))
        return metrics.bin_gaps(outcome, confidence, bins=bins, samples=settings.samples, rng=rng)

    return statistics.mean_gap(measured.values(term.metric, gaps, bins)[chosen])


def _floor(measured: ConditionMetrics, term: Term, chosen: np.ndarray) -> Statistic:
    """The gECE of a perfectly calibrated forecaster, simulated; a constant in every resample."""
    settings = measured.settings
    view = term.view
    null = metrics.null_of_masses(
        *measured.masses(view.bins, chosen),
        measured.answers.confidence(chosen).mean,
        repeats=settings.null_repeats,
        rng=settings.rng("null", term.condition.name, view.subset, view.variant),
    )
    return statistics.constant(null, int(chosen.sum()))


def _parts(measured: ConditionMetrics, term: Term, chosen: np.ndarray) -> Statistic | None:
    """What the mean and what the concentration did; nothing where the outcomes of the two conditions differ."""
    before, places = measured.partner(term, chosen)
    after = measured.answers
    if not np.array_equal(before.outcome[places], after.outcome[chosen]):
        return None
    parts = metrics.faithfulness_divergence_parts(
        after.outcome[chosen], before.confidence(places), after.confidence(chosen)
    )
    return statistics.mean(parts[METRICS[term.metric].of == "concentration"])


def _propagation(measured: ConditionMetrics, term: Term, chosen: np.ndarray) -> Statistic:
    """How the calibrated signal comes back from the words: Spearman's rho, raw and unbinned."""
    aim, places = measured.partner(term, chosen)
    pair = aim.confidence(places), measured.answers.confidence(chosen)
    return statistics.spearman(*(getattr(confidence, METRICS[term.metric].of) for confidence in pair))


def _reliance(measured: ConditionMetrics, term: Term, chosen: np.ndarray) -> Statistic:
    """What people who read it believe and decide."""
    situation = reliance.SITUATIONS[term.view.situation]
    outcome = measured.answers.outcome[chosen]
    masses = measured.masses(reliance.CELLS, chosen)
    values, weights = reliance.measures(outcome, masses, situation)[term.metric]
    return statistics.mean(values, weights=weights)


def _ranks(measured: ConditionMetrics, term: Term, chosen: np.ndarray) -> Statistic:
    """How often a right answer scores above a wrong one."""
    return statistics.auroc(measured.answers.outcome[chosen], measured.answers.confidence(chosen).mean)


def _rates(measured: ConditionMetrics, term: Term, chosen: np.ndarray) -> Statistic:
    """The share of answers that were lost, or of the original answer that the text keeps."""
    return statistics.mean(measured.answers.rates[term.metric][chosen])


#: The function of each kind of metrics (`ralc.registry.Metric.computed`); None where there is no statistic.
STATISTICS: dict[str, Callable[[ConditionMetrics, Term, np.ndarray], Statistic | None]] = {
    "items": _items,
    "bins": _bins,
    "ranks": _ranks,
    "floor": _floor,
    "parts": _parts,
    "propagation": _propagation,
    "reliance": _reliance,
    "losses": _rates,
    "preservation": _rates,
}
require_functions(
    "the kinds of ralc.registry.METRICS",
    # Debiased metrics and excesses are made of others; the human benchmark has those of people.
    {metric.computed for metric in METRICS.values()} - {"debiased", "excess", "people"},
    STATISTICS,
    "write one in ralc/pipeline/metric_evaluation.py",
)
