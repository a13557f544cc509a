"""Made-up worlds in which the true values are known, to count how often intervals cover them.

An answer is right with a probability that its difficulty sets; two methods say confidences that follow it, too surely
or not, with noise of their own and noise they share. Means lie on a grid of 200 values, so the true values of a method
are sums over the grid (quadrature over difficulty and noise, no simulation). With clusters, difficulty and noise are
correlated within articles of unequal sizes. Draws of the AUROC are those of its placements, a mean.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import NamedTuple

import numpy as np
import pandas as pd
from scipy import special, stats

from ralc import Beta, metrics, statistics
from ralc.statistics import Drawn

GRID = (np.arange(200) + 0.5) / 200
SPREAD = 1.3
#: Share of the variance of difficulty and noise that lies between articles, and of the noise that methods share.
BETWEEN, SHARED = 0.25, 0.5
#: Sets of questions whose draws are in memory at once.
_BATCH = 100
METRICS = ("faithfulness_divergence", "generalised_ece", "expected_calibration_error", "brier_score", "auroc")


class Method(NamedTuple):
    """A confidence: its logit is intercept + slope x difficulty + noise."""

    intercept: float
    slope: float
    noise: float


@dataclass(frozen=True)
class World:
    """Two methods on questions whose logit of being right has this mean; the second is compared with the first."""

    centre: float
    first: Method
    second: Method


def calibrated(centre: float, noise: float = 1.0) -> Method:
    """A method that is nearly calibrated: the posterior mean of the difficulty, squashed for what it leaves open."""
    share = SPREAD**2 / (SPREAD**2 + noise**2)
    squash = 1 / np.sqrt(1 + np.pi * SPREAD**2 * (1 - share) / 8)
    return Method(centre * (1 - share) * squash, share * squash, share * squash * noise)


_TOO_SURE, _GOOD, _EVEN = Method(1.2, 0.6, 0.7), calibrated(0.3), calibrated(0.0)
#: Nothing to find: twice the same quality, too sure or calibrated, or as much too sure as not sure enough.
WORLDS: dict[str, World] = {
    "null, too sure": World(0.3, _TOO_SURE, _TOO_SURE),
    "null, calibrated": World(0.3, _GOOD, _GOOD),
    "null, mirrored": World(
        0.0, _EVEN._replace(intercept=_EVEN.intercept + 0.7), _EVEN._replace(intercept=_EVEN.intercept - 0.7)
    ),
    "small": World(0.3, Method(0.9, 0.6, 0.6), Method(0.75, 0.6, 0.6)),
    "large": World(0.3, Method(2.0, 0.8, 0.6), _GOOD),
    "constant": World(0.3, _TOO_SURE, Method(0.28, 0.0, 0.0)),
}


class Row(NamedTuple):
    """How an interval did: share that cover, share of p below .05, mean width."""

    metric: str
    kind: str
    covered: float
    rejected: float
    width: float


@cache
def tables(concentration: float) -> dict[str, np.ndarray]:
    """What an answer adds to each metric by the grid's mean: (200, ...), for wrong and right outcomes."""
    confidence = Beta.from_mean_concentration(GRID, np.full(200, concentration))
    wrong, right = np.zeros(200), np.ones(200)
    of = {
        "faithfulness_divergence": lambda y: metrics.faithfulness_divergence(y, confidence),
        "brier_score": lambda y: metrics.squared_error(y, GRID),
        "generalised_ece": lambda y: metrics.bin_gaps(y, confidence),
        "expected_calibration_error": lambda y: metrics.mean_gaps(y, GRID),
    }
    return {name: np.stack([function(wrong), function(right)]) for name, function in of.items()}


def level(logit: np.ndarray) -> np.ndarray:
    """The grid's index of a confidence."""
    return np.clip((special.expit(logit) * 200).astype(int), 2, 197)


def truth(centre: float, method: Method, concentration: float) -> dict[str, float]:
    """The true value of every metric."""
    nodes, weights = np.polynomial.hermite_e.hermegauss(120)
    difficulty = centre + SPREAD * nodes[:, None]
    noise = np.linspace(-4, 4, 801)
    weight = weights[:, None] / weights.sum() * stats.norm.pdf(noise) / stats.norm.pdf(noise).sum()
    place = level(method.intercept + method.slope * difficulty + method.noise * noise).ravel()
    right = np.bincount(place, (weight * special.expit(difficulty)).ravel(), 200)
    wrong = np.bincount(place, weight.ravel(), 200) - right
    sums = {name: wrong @ values[0] + right @ values[1] for name, values in tables(concentration).items()}
    found = {name: float(np.abs(total).sum()) for name, total in sums.items()}
    below = np.cumsum(wrong) - wrong / 2
    return found | {"auroc": float((right * below).sum() / right.sum() / wrong.sum())}


def articles(questions: int, number: int, rng: np.random.Generator) -> np.ndarray:
    """The article of each question; every article has one, the rest fall unequally."""
    share = rng.dirichlet(np.full(number, 4.0))
    return np.concatenate([np.arange(number), rng.choice(number, questions - number, p=share)])


def draw(
    world: World, questions: int, repeats: int, group: np.ndarray, rng: np.random.Generator
) -> tuple[np.ndarray, list[np.ndarray]]:
    """Outcomes and the grid's index of both methods' means; (repeats, questions) each."""
    return answers(world.centre, (world.first, world.second), questions, repeats, group, rng)


def answers(
    centre: float,
    methods: Sequence[Method],
    questions: int,
    repeats: int,
    group: np.ndarray,
    rng: np.random.Generator,
) -> tuple[np.ndarray, list[np.ndarray]]:
    """Outcomes, and the grid's index of each method's means; (repeats, questions) each."""
    number = group.max() + 1

    def normal() -> np.ndarray:
        own = rng.normal(size=(repeats, questions))
        if number == questions:
            return own
        common = rng.normal(size=(repeats, number))[:, group]
        return np.sqrt(BETWEEN) * common + np.sqrt(1 - BETWEEN) * own

    difficulty, shared = centre + SPREAD * normal(), normal()
    outcome = (rng.random((repeats, questions)) < special.expit(difficulty)).astype(int)
    places = []
    for method in methods:
        noise = np.sqrt(SHARED) * shared + np.sqrt(1 - SHARED) * normal()
        places.append(level(method.intercept + method.slope * difficulty + method.noise * noise))
    return outcome, places


def simulate(
    name: str,
    questions: int,
    concentration: float,
    *,
    number: int | None = None,
    repeats: int = 2000,
    resamples: int = 600,
    seed: int = 0,
) -> list[Row]:
    """How often intervals cover, in one cell: the paired difference and the second method alone, by metric.

    Parameters
    ----------
    name : str
        A world.
    questions : int
    concentration : float
        Of all confidences.
    number : int, optional
        Of articles; without it questions are independent.
    repeats, resamples : int
        New sets of questions, and bootstrap resamples, which all sets share.
    seed : int
    """
    world, rng = WORLDS[name], np.random.default_rng([seed, questions, number or 0])
    group = np.arange(questions) if number is None else articles(questions, number, rng)
    weights = statistics.resample(questions, groups=group, resamples=resamples, rng=rng).weights
    sums = _Sums(weights, group)
    values = [truth(world.centre, method, concentration) for method in (world.first, world.second)]
    found: dict[tuple[str, str], list[pd.DataFrame]] = {}
    for start in range(0, repeats, _BATCH):
        outcome, places = draw(world, questions, min(_BATCH, repeats - start), group, rng)
        for metric in METRICS:
            one, two = (sums.drawn(metric, outcome, place, concentration) for place in places)
            pairs = zip(one, two, strict=True)
            differences = [Drawn.combine([(second, 1.0), (first, -1.0)]) for first, second in pairs]
            for kind, drawn in (("difference", differences), ("alone", two)):
                found.setdefault((metric, kind), []).append(statistics.intervals(drawn, null=0.0))
    rows = []
    for (metric, kind), batches in found.items():
        true = values[1][metric] - (values[0][metric] if kind == "difference" else 0.0)
        table = pd.concat(batches)
        covered = (table["ci_low"] <= true) & (true <= table["ci_high"])
        width = (table["ci_high"] - table["ci_low"]).mean()
        rows.append(Row(metric, kind, covered.mean(), (table["p_value"] < 0.05).mean(), width))
    return rows


#: Logits of being right of three datasets, and by world the original words, the constant hedge and RALC.
CENTRES = (-0.4, 0.3, 0.8)
POOLED: dict[str, tuple[Method, Method, Method]] = {
    "null, too sure": (_TOO_SURE, _TOO_SURE, _TOO_SURE),
    "null, calibrated": (_GOOD, _GOOD, _GOOD),
    "small": (Method(0.9, 0.6, 0.6), Method(0.8, 0.6, 0.6), Method(0.75, 0.65, 0.6)),
    "large": (Method(2.0, 0.3, 0.6), Method(0.28, 0.0, 0.2), _GOOD),
}


def simulate_pooled(
    name: str,
    questions: int,
    *,
    number: int | None = None,
    repeats: int = 2000,
    resamples: int = 600,
    seed: int = 0,
) -> list[Row]:
    """How often the intervals of the four primary endpoints cover, and how often p-values reject.

    Parameters
    ----------
    name : str
        A pooled world.
    questions : int
        Of each of three datasets.
    number : int, optional
        Articles of the third dataset; without it its questions are independent.
    repeats, resamples : int
        New sets of questions, and bootstrap resamples.
    seed : int

    Returns
    -------
    A row an endpoint, of kind ``original`` or ``constant_hedge``. The last row is the family of four: `rejected` is the
    share of sets in which at least one is rejected after Holm's correction.
    """
    rng, methods = np.random.default_rng([seed, questions, number or 0]), POOLED[name]
    measured = ("brier_score", "auroc")
    groups = [np.arange(questions)] * 2
    groups.append(np.arange(questions) if number is None else articles(questions, number, rng))
    sums = [
        _Sums(statistics.resample(questions, groups=group, resamples=resamples, rng=rng).weights, group)
        for group in groups
    ]
    values = [[truth(centre, method, 20.0) for method in methods] for centre in CENTRES]
    found: dict[tuple[str, str], list[pd.DataFrame]] = {}
    for start in range(0, repeats, _BATCH):
        drawn = [
            answers(centre, methods, questions, min(_BATCH, repeats - start), one.group, rng)
            for centre, one in zip(CENTRES, sums, strict=True)
        ]
        for metric in measured:
            of = [
                [one.drawn(metric, outcome, place, 20.0) for place in places]
                for one, (outcome, places) in zip(sums, drawn, strict=True)
            ]
            for opponent, kind in enumerate(("original", "constant_hedge")):
                pairs = [
                    [
                        Drawn.combine([(ours, 1.0), (theirs, -1.0)])
                        for ours, theirs in zip(d[2], d[opponent], strict=True)
                    ]
                    for d in of
                ]
                pooled = [Drawn.pool(datasets) for datasets in zip(*pairs, strict=True)]
                found.setdefault((metric, kind), []).append(statistics.intervals(pooled, null=0.0))
    rows, p_values = [], []
    for (metric, kind), batches in found.items():
        opponent = ("original", "constant_hedge").index(kind)
        true = float(np.mean([of[2][metric] - of[opponent][metric] for of in values]))
        table = pd.concat(batches)
        covered = ((table["ci_low"] <= true) & (true <= table["ci_high"])).mean()
        width = (table["ci_high"] - table["ci_low"]).mean()
        rows.append(Row(metric, kind, covered, (table["p_value"] < 0.05).mean(), width))
        p_values.append(table["p_value"].to_numpy())
    least = [statistics.holm(one).min() < 0.05 for one in np.stack(p_values, axis=1)]
    return [*rows, Row("any of four", "family", float("nan"), float(np.mean(least)), float("nan"))]


@dataclass(frozen=True)
class _Sums:
    """Draws of every metric for many sets of questions; one set of resampling weights serves all."""

    weights: np.ndarray
    group: np.ndarray

    def drawn(self, metric: str, outcome: np.ndarray, place: np.ndarray, concentration: float) -> list[Drawn]:
        """One metric of each set of questions with its draws and how often each unit was drawn."""
        counts = self.weights[np.unique(self.group, return_index=True)[1], 1:]
        return [replace(one, counts=counts) for one in self._drawn(metric, outcome, place, concentration)]

    def _drawn(
        self, metric: str, outcome: np.ndarray, place: np.ndarray, concentration: float
    ) -> list[Drawn]:
        units, size = int(self.group.max() + 1), outcome.shape[1]
        if metric == "auroc":
            values, own = _placements(outcome, place)
            draws = values + self._means(own)
            return [
                Drawn.exact(float(value), one, units, size)
                for value, one in zip(values, draws[1:].T, strict=True)
            ]
        added = tables(concentration)[metric][outcome, place]
        if added.ndim == 2:
            return [Drawn.exact(float(one[0]), one[1:], units, size) for one in self._means(added).T]
        gaps = np.stack([self._means(added[..., cell]) for cell in range(added.shape[2])])
        return [
            statistics.absolute_sum(gaps[:, :, one], units=units, size=size) for one in range(len(outcome))
        ]

    def _means(self, values: np.ndarray) -> np.ndarray:
        """Weighted means of each set on each resample; (1 + resamples, sets)."""
        return (values @ self.weights).T / self.weights.sum(axis=0)[:, None]


def _placements(outcome: np.ndarray, place: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The AUROC of each set, and how far each answer moves it (DeLong et al. 1988)."""
    values, moves = np.empty(len(outcome)), np.empty(outcome.shape)
    for one, (y, p) in enumerate(zip(outcome, place, strict=True)):
        right, wrong = (np.bincount(p[y == side], minlength=200) for side in (1, 0))
        below = (np.cumsum(wrong) - wrong / 2) / wrong.sum()
        above = 1 - (np.cumsum(right) - right / 2) / right.sum()
        values[one] = right @ below / right.sum()
        moves[one] = np.where(
            y == 1, (below[p] - values[one]) / y.mean(), (above[p] - values[one]) / (1 - y.mean())
        )
    return values, moves
