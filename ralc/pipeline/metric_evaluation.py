"""The terms of the plan as functions of resampled answers."""

import zlib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from ralc import metrics, reliance, statistics
from ralc.beta import Beta
from ralc.conditions import Condition
from ralc.pipeline.arrays import Answers, Questions
from ralc.pipeline.metrics_plan import Term, View
from ralc.registry import METRICS
from ralc.statistics import Statistic

#: The answers of which a metric may be (`ralc.registry.Metric.of`), by their outcome; a share counts to both.
_OF = {"wrong": lambda outcome: outcome < 1, "right": lambda outcome: outcome > 0}


@dataclass(frozen=True)
class Settings:
    """How results are measured.

    Parameters
    ----------
    bins
        Number of bins of gECE and ECE by variant, ``default`` among them.
    resamples
        Bootstrap resamples.
    null_repeats
        Simulations of the gECE of a perfectly calibrated forecaster.
    tail
        Share of answers at each end of mean and concentration in table 1.
    samples
        Draws an item of a Monte-Carlo generalised ECE (protocol ``authors``); None computes it exactly.
    seed
        Of the run.
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


@dataclass(frozen=True)
class TargetData:
    """All answers of one target to one dataset, and how they are measured."""

    answers: Mapping[Condition, Answers]
    questions: Questions
    settings: Settings

    def usable(self, condition: Condition, view: View, shared: Condition | None = None) -> np.ndarray:
        """Return which answers of a condition are graded, read and in the view; and in that of `shared`, too."""
        answers = self.answers[condition]
        chosen = answers.usable & answers.within(view, self.questions, self.settings.tail)
        if shared is None:
            return chosen
        there = np.zeros(len(self.questions.ids), dtype=bool)
        there[self.answers[shared].position[self.usable(shared, view)]] = True
        return chosen & there[answers.position]


@dataclass
class ConditionMetrics:
    """One condition of a target's data. What many of its statistics need is computed once."""

    data: TargetData
    condition: Condition
    _values: dict[tuple, np.ndarray] = field(default_factory=dict)
    _made: dict[tuple, Statistic] = field(default_factory=dict)

    def statistics(self, terms: Iterable[Term]) -> dict[Term, Statistic]:
        """Return the statistic of each term that has an answer; terms on the same answers share one."""
        by_term = {}
        for term in terms:
            kind, chosen = KINDS[METRICS[term.metric].computed], self._chosen(term)
            if not chosen.any():
                continue
            # A difference from another condition is on the answers of both; mostly they are all of them.
            pair = term.shared if kind.paired else None
            key = (term.metric, term.view.bins, term.view.situation, pair, chosen.tobytes())
            if key not in self._made:
                statistic = kind.made(self, term, chosen)
                self._made[key] = statistic and statistic.at(self.answers.position[chosen])
            if self._made[key] is not None:
                by_term[term] = self._made[key]
        return by_term

    @property
    def answers(self) -> Answers:
        """The answers of the condition."""
        return self.data.answers[self.condition]

    def _chosen(self, term: Term) -> np.ndarray:
        """Which answers a term is about."""
        metric = METRICS[term.metric]
        if not KINDS[metric.computed].usable:
            chosen = self.answers.within(term.view, self.data.questions, self.data.settings.tail)
            return chosen & ~np.isnan(self.answers.rates[term.metric])
        chosen = self.data.usable(self.condition, term.view, term.shared)
        if metric.of in _OF:
            chosen = chosen & _OF[metric.of](self.answers.outcome)
        return chosen & ~self.answers.rates["passed_rate"].astype(bool) if metric.hedged else chosen

    def values(self, name: str, of: Callable[[np.ndarray, Beta], np.ndarray], *key: object) -> np.ndarray:
        """Return what `of` gives for all usable answers, NaN elsewhere; computed once by name and key."""
        if (name, *key) not in self._values:
            usable = self.answers.usable
            each = of(self.answers.outcome[usable], self.answers.confidence(usable))
            spread = np.full((len(usable), *each.shape[1:]), np.nan)
            spread[usable] = each
            self._values[(name, *key)] = spread
        return self._values[(name, *key)]

    def masses(self, bins: int, chosen: np.ndarray) -> np.ndarray:
        """Return the mass of each confidence in each bin, and the integral of p over it: what gECE is made of."""
        both = self.values("masses", lambda y, s: np.stack(metrics.bin_masses(s, bins=bins), axis=-1), bins)
        return np.moveaxis(both[chosen], -1, 0)

    def partner(self, term: Term, chosen: np.ndarray) -> tuple[Answers, np.ndarray]:
        """Return the other condition of a pair, and its answers to the chosen questions."""
        other = self.data.answers[term.shared]
        return other, np.searchsorted(other.position, self.answers.position[chosen])


def _items(measured: ConditionMetrics, term: Term, chosen: np.ndarray) -> Statistic:
    """The mean of one value an answer."""
    metric = METRICS[term.metric]
    function, forecast = getattr(metrics, metric.of or term.metric), metric.forecast
    values = measured.values(term.metric, lambda y, s: function(y, s.mean if forecast == "mean" else s))
    return statistics.mean(values[chosen])


def _bins(measured: ConditionMetrics, term: Term, chosen: np.ndarray) -> Statistic:
    """The sum over bins of the absolute mean gap."""
    settings, bins = measured.data.settings, term.view.bins
    if METRICS[term.metric].forecast == "mean":
        gaps = measured.values(term.metric, lambda y, s: metrics.mean_gaps(y, s.mean, bins=bins), bins)
    elif settings.samples is not None:
        how = {"samples": settings.samples, "rng": settings.rng("gece", term.condition.name, str(bins))}
        gaps = measured.values(term.metric, lambda y, s: metrics.bin_gaps(y, s, bins=bins, **how), bins)
    else:
        mass, expected = measured.masses(bins, chosen)
        return statistics.mean_gap(mass * measured.answers.outcome[chosen, None] - expected)
    return statistics.mean_gap(gaps[chosen])


def _ranks(measured: ConditionMetrics, term: Term, chosen: np.ndarray) -> Statistic:
    """How often a right answer scores above a wrong one."""
    return statistics.auroc(measured.answers.outcome[chosen], measured.answers.confidence(chosen).mean)


def _floor(measured: ConditionMetrics, term: Term, chosen: np.ndarray) -> Statistic:
    """The gECE of a perfectly calibrated forecaster, simulated; a constant in every resample."""
    settings, view = measured.data.settings, term.view
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
    outcome, masses = measured.answers.outcome[chosen], measured.masses(reliance.CELLS, chosen)
    values, weights = reliance.measures(outcome, masses, situation)[term.metric]
    return statistics.mean(values, weights=weights)


def _rates(measured: ConditionMetrics, term: Term, chosen: np.ndarray) -> Statistic:
    """The share of answers that were lost, or of the original answer that the text keeps."""
    return statistics.mean(measured.answers.rates[term.metric][chosen])


class Kind(NamedTuple):
    """How the metrics of a kind are computed (`ralc.registry.Metric.computed`).

    Parameters
    ----------
    made
        The function that makes their statistic; None where there is none.
    paired
        Whether it needs the answers of another condition.
    usable
        Whether it is of graded and read answers alone.
    """

    made: Callable[[ConditionMetrics, Term, np.ndarray], Statistic | None]
    paired: bool = False
    usable: bool = True


KINDS: dict[str, Kind] = {
    "items": Kind(_items),
    "bins": Kind(_bins),
    "ranks": Kind(_ranks),
    "floor": Kind(_floor),
    "parts": Kind(_parts, paired=True),
    "propagation": Kind(_propagation, paired=True),
    "reliance": Kind(_reliance),
    "losses": Kind(_rates, usable=False),
    "preservation": Kind(_rates, usable=False),
}
