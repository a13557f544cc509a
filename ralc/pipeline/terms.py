"""The statistics of a condition: each term of the plan as a function of resampled answers."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

import numpy as np

from ralc import metrics, reliance, statistics
from ralc.beta import Beta
from ralc.conditions import Condition
from ralc.pipeline.arrays import Answers, Questions
from ralc.pipeline.metrics_plan import Term, View
from ralc.pipeline.settings import Settings
from ralc.registry import METRICS
from ralc.statistics import Statistic

#: The answers of which a metric may be (`ralc.registry.Metric.of`), by their outcome; a share counts to both.
_OF = {"wrong": lambda outcome: outcome < 1, "right": lambda outcome: outcome > 0}


@dataclass(frozen=True)
class World:
    """All answers of one target to one dataset, and how they are measured."""

    answers: Mapping[Condition, Answers]
    questions: Questions
    settings: Settings

    def usable(self, condition: Condition, view: View, shared: Condition | None = None) -> np.ndarray:
        """Return which answers of a condition are graded, read and in the view; and in that of `shared`, too."""
        own = self.answers[condition]
        chosen = own.usable & own.within(view, self.questions, self.settings.tail)
        if shared is None:
            return chosen
        other, there = self.answers[shared], np.zeros(len(self.questions.ids), dtype=bool)
        there[other.position[self.usable(shared, view)]] = True
        return chosen & there[own.position]


@dataclass
class Measured:
    """One condition of a world. What many of its statistics need is computed once."""

    world: World
    condition: Condition
    _values: dict[tuple, np.ndarray] = field(default_factory=dict)
    _made: dict[tuple, Statistic] = field(default_factory=dict)

    def statistics(self, terms: Iterable[Term]) -> dict[Term, Statistic]:
        """Return the statistic of each term that has an answer; terms on the same answers share one."""
        found = {}
        for term in terms:
            chosen = self._chosen(term)
            if not chosen.any():
                continue
            # A difference from another condition is on the answers of both; mostly they are all of them.
            pair = term.shared if METRICS[term.metric].computed in ("parts", "propagation") else None
            key = (term.metric, term.view.bins, term.view.situation, pair, chosen.tobytes())
            if key not in self._made:
                statistic = _MADE_BY[METRICS[term.metric].computed](self, term, chosen)
                self._made[key] = statistic and statistic.at(self.answers.position[chosen])
            if self._made[key] is not None:
                found[term] = self._made[key]
        return found

    @property
    def answers(self) -> Answers:
        """The answers of the condition."""
        return self.world.answers[self.condition]

    def _chosen(self, term: Term) -> np.ndarray:
        """Which answers a term is about."""
        computed, view = METRICS[term.metric].computed, term.view
        if computed not in ("losses", "preservation"):
            chosen = self.world.usable(self.condition, view, term.shared)
            if METRICS[term.metric].of in _OF:
                chosen = chosen & _OF[METRICS[term.metric].of](self.answers.outcome)
            return chosen & ~self.answers.passed if METRICS[term.metric].hedged else chosen
        chosen = self.answers.within(view, self.world.questions, self.world.settings.tail)
        return chosen if computed == "losses" else chosen & ~np.isnan(self.answers.kept[term.metric])

    def values(self, name: str, of: Callable[[np.ndarray, Beta], np.ndarray], *key: object) -> np.ndarray:
        """Return what `of` gives for all usable answers, NaN elsewhere; computed once by name and key."""
        if (name, *key) not in self._values:
            usable = self.answers.usable
            found = of(self.answers.outcome[usable], self.answers.confidence(usable))
            spread = np.full((len(usable), *found.shape[1:]), np.nan)
            spread[usable] = found
            self._values[(name, *key)] = spread
        return self._values[(name, *key)]


def _items(measured: Measured, term: Term, chosen: np.ndarray) -> Statistic:
    """The mean of one value an answer."""
    metric = METRICS[term.metric]
    function, forecast = getattr(metrics, metric.of or term.metric), metric.forecast
    values = measured.values(term.metric, lambda y, s: function(y, s.mean if forecast == "mean" else s))
    return statistics.mean(values[chosen])


def _bins(measured: Measured, term: Term, chosen: np.ndarray) -> Statistic:
    """The sum over bins of the absolute mean gap."""
    settings, bins = measured.world.settings, term.view.bins
    if METRICS[term.metric].forecast == "mean":
        gaps = measured.values(term.metric, lambda y, s: metrics.mean_gaps(y, s.mean, bins=bins), bins)[
            chosen
        ]
    elif settings.samples is not None:
        how = {"samples": settings.samples, "rng": settings.rng("gece", term.condition.name, str(bins))}
        gaps = measured.values(term.metric, lambda y, s: metrics.bin_gaps(y, s, bins=bins, **how), bins)[
            chosen
        ]
    else:
        mass, expected = _masses(measured, bins, chosen)
        gaps = mass * measured.answers.outcome[chosen, None] - expected
    return statistics.mean_gap(gaps)


def _masses(measured: Measured, bins: int, chosen: np.ndarray) -> np.ndarray:
    """Mass of each confidence in each bin, and the integral of p over it: what gECE and its floor are made of."""
    both = measured.values("masses", lambda y, s: np.stack(metrics.bin_masses(s, bins=bins), axis=-1), bins)
    return np.moveaxis(both[chosen], -1, 0)


def _ranks(measured: Measured, term: Term, chosen: np.ndarray) -> Statistic:
    """How often a right answer scores above a wrong one."""
    return statistics.auroc(measured.answers.outcome[chosen], measured.answers.confidence(chosen).mean)


def _floor(measured: Measured, term: Term, chosen: np.ndarray) -> Statistic:
    """The gECE of a perfectly calibrated forecaster, simulated; a constant in every resample."""
    settings, view = measured.world.settings, term.view
    null = metrics.null_of_masses(
        *_masses(measured, view.bins, chosen),
        measured.answers.confidence(chosen).mean,
        repeats=settings.null_repeats,
        rng=settings.rng("null", term.condition.name, view.subset, view.variant),
    )
    return statistics.constant(null, int(chosen.sum()))


def _parts(measured: Measured, term: Term, chosen: np.ndarray) -> Statistic | None:
    """What the mean and what the concentration did; nothing where the outcomes of the two conditions differ."""
    before, places = _partner(measured, term, chosen)
    after = measured.answers
    if not np.array_equal(before.outcome[places], after.outcome[chosen]):
        return None
    parts = metrics.faithfulness_divergence_parts(
        after.outcome[chosen], before.confidence(places), after.confidence(chosen)
    )
    return statistics.mean(parts[METRICS[term.metric].of == "concentration"])


def _propagation(measured: Measured, term: Term, chosen: np.ndarray) -> Statistic:
    """How the calibrated signal comes back from the words: Spearman's rho, raw and unbinned."""
    aim, places = _partner(measured, term, chosen)
    side = METRICS[term.metric].of
    pair = aim.confidence(places), measured.answers.confidence(chosen)
    return statistics.spearman(*(getattr(confidence, side) for confidence in pair))


def _partner(measured: Measured, term: Term, chosen: np.ndarray) -> tuple[Answers, np.ndarray]:
    """The other condition of a pair, and its answers to the chosen questions."""
    other = measured.world.answers[term.shared]
    return other, np.searchsorted(other.position, measured.answers.position[chosen])


def _reliance(measured: Measured, term: Term, chosen: np.ndarray) -> Statistic:
    """What people who read it believe and decide."""
    found = reliance.measures(
        measured.answers.outcome[chosen],
        _masses(measured, reliance.CELLS, chosen),
        reliance.SITUATIONS[term.view.situation],
    )
    values, weights = found[term.metric]
    return statistics.mean(values, weights=weights)


def _losses(measured: Measured, term: Term, chosen: np.ndarray) -> Statistic:
    """The share of answers that were lost."""
    return statistics.mean(measured.answers.losses()[term.metric][chosen])


def _preservation(measured: Measured, term: Term, chosen: np.ndarray) -> Statistic:
    """What the text keeps of the original answer."""
    return statistics.mean(measured.answers.kept[term.metric][chosen])


#: How the metrics are computed (`ralc.registry.Metric.computed`).
_MADE_BY: dict[str, Callable[[Measured, Term, np.ndarray], Statistic | None]] = {
    "items": _items,
    "bins": _bins,
    "ranks": _ranks,
    "floor": _floor,
    "parts": _parts,
    "propagation": _propagation,
    "reliance": _reliance,
    "losses": _losses,
    "preservation": _preservation,
}
