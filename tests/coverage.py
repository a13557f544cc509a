"""Made-up worlds in which the true values are known, to count how often intervals cover them.

An answer is right with a probability that its difficulty sets. Methods say confidences that follow it, too surely or
not, with noise of their own and noise they share. Means lie on a grid of 200 values, so the true values of a method are
sums over the grid (quadrature over difficulty and noise, no simulation). With clusters, difficulty and noise are
correlated within articles of unequal sizes. Draws of the AUROC are those of its placements, a mean.
"""

from dataclasses import dataclass, replace
from functools import cache
from typing import NamedTuple

import numpy as np
import pandas as pd
from scipy import special, stats

from ralc import Beta, metrics, statistics
from ralc.statistics import Estimate

GRID = (np.arange(200) + 0.5) / 200
SPREAD = 1.3
#: Share of the variance of difficulty and noise that lies between articles, and of the noise that methods share.
BETWEEN = 0.25
SHARED = 0.5
#: Sets of questions whose draws are in memory at once.
_BATCH = 100
METRICS = ("faithfulness_divergence", "generalised_ece", "expected_calibration_error", "brier_score", "auroc")


class Method(NamedTuple):
    """A confidence: its logit is intercept + slope x difficulty + noise."""

    intercept: float
    slope: float
    noise: float


class World(NamedTuple):
    """Methods, the last compared with each other one, on datasets with these mean logits of being right."""

    centres: tuple[float, ...]
    methods: tuple[Method, ...]


class Row(NamedTuple):
    """How an interval did: share that cover, share of p below 0.05, mean width."""

    metric: str
    kind: str
    covered: float
    rejected: float
    width: float


def calibrated(centre: float, noise: float = 1.0) -> Method:
    """A method that is nearly calibrated: the posterior mean of the difficulty, squashed for what it leaves open."""
    share = SPREAD**2 / (SPREAD**2 + noise**2)
    squash = 1 / np.sqrt(1 + np.pi * SPREAD**2 * (1 - share) / 8)
    return Method(centre * (1 - share) * squash, share * squash, share * squash * noise)


_SURE = Method(1.2, 0.6, 0.7)
_GOOD = calibrated(0.3)
_EVEN = calibrated(0.0)
_LEFT, _RIGHT = (_EVEN._replace(intercept=_EVEN.intercept + shift) for shift in (0.7, -0.7))
#: Nothing to find: twice the same quality, too sure or calibrated, or as much too sure as not sure enough.
WORLDS: dict[str, World] = {
    "null, too sure": World((0.3,), (_SURE, _SURE)),
    "null, calibrated": World((0.3,), (_GOOD, _GOOD)),
    "null, mirrored": World((0.0,), (_LEFT, _RIGHT)),
    "small": World((0.3,), (Method(0.9, 0.6, 0.6), Method(0.75, 0.6, 0.6))),
    "large": World((0.3,), (Method(2.0, 0.8, 0.6), _GOOD)),
    "constant": World((0.3,), (_SURE, Method(0.28, 0.0, 0.0))),
}
_THREE = (-0.4, 0.3, 0.8)
#: The primary endpoints: original words, constant hedge and RALC on three datasets.
POOLED: dict[str, World] = {
    "null, too sure": World(_THREE, (_SURE, _SURE, _SURE)),
    "null, calibrated": World(_THREE, (_GOOD, _GOOD, _GOOD)),
    "small": World(_THREE, (Method(0.9, 0.6, 0.6), Method(0.8, 0.6, 0.6), Method(0.75, 0.65, 0.6))),
    "large": World(_THREE, (Method(2.0, 0.3, 0.6), Method(0.28, 0.0, 0.2), _GOOD)),
}


@cache
def tables(concentration: float) -> dict[str, np.ndarray]:
    """What an answer adds to each metric by the grid's mean: (200, ...), for wrong and right outcomes."""
    confidence = Beta.from_mean_concentration(GRID, np.full(200, concentration))
    both = np.zeros(200), np.ones(200)
    of = {
        "faithfulness_divergence": lambda y: metrics.faithfulness_divergence(y, confidence),
        "brier_score": lambda y: metrics.squared_error(y, GRID),
        "generalised_ece": lambda y: metrics.bin_gaps(y, confidence),
        "expected_calibration_error": lambda y: metrics.mean_gaps(y, GRID),
    }
    return {name: np.stack([function(y) for y in both]) for name, function in of.items()}


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
    below = np.cumsum(wrong) - wrong / 2
    values = {name: float(np.abs(total).sum()) for name, total in sums.items()}
    return values | {"auroc": float((right * below).sum() / right.sum() / wrong.sum())}


def articles(questions: int, number: int, rng: np.random.Generator) -> np.ndarray:
    """The article of each question; every article has one, the rest fall unequally."""
    share = rng.dirichlet(np.full(number, 4.0))
    return np.concatenate([np.arange(number), rng.choice(number, questions - number, p=share)])


def answers(
    centre: float, methods: tuple[Method, ...], repeats: int, group: np.ndarray, rng: np.random.Generator
) -> tuple[np.ndarray, list[np.ndarray]]:
    """Outcomes, and the grid's index of each method's means; (repeats, questions) each."""
    shape = (repeats, len(group))

    def normal() -> np.ndarray:
        single = rng.normal(size=shape)
        if group.max() + 1 == len(group):
            return single
        common = rng.normal(size=(repeats, group.max() + 1))[:, group]
        return np.sqrt(BETWEEN) * common + np.sqrt(1 - BETWEEN) * single

    difficulty = centre + SPREAD * normal()
    shared = normal()
    outcome = (rng.random(shape) < special.expit(difficulty)).astype(int)
    places = []
    for method in methods:
        noise = np.sqrt(SHARED) * shared + np.sqrt(1 - SHARED) * normal()
        places.append(level(method.intercept + method.slope * difficulty + method.noise * noise))
    return outcome, places


def simulate(
    world: World,
    questions: int,
    concentration: float = 20.0,
    *,
    number: int | None = None,
    repeats: int = 2000,
    resamples: int = 600,
    seed: int = 0,
) -> list[Row]:
    """How often intervals cover the last method's difference from each other one, by metric.

    Parameters
    ----------
    world : World
        Of one dataset: every metric, and the last method alone, too. Of several: Brier score and AUROC, pooled, with a
        last row for the share of sets in which at least one difference is rejected after Holm's correction.
    questions, concentration
        Of each dataset, and of all confidences.
    number : int, optional
        Of articles of the last dataset; without it questions are independent.
    repeats, resamples, seed
        New sets of questions, and bootstrap resamples, which all sets share.
    """
    rng = np.random.default_rng([seed, questions, number or 0])
    pooled = len(world.centres) > 1
    groups = [np.arange(questions)] * (len(world.centres) - 1)
    groups.append(np.arange(questions) if number is None else articles(questions, number, rng))
    datasets = [
        _Draws(statistics.resample(questions, groups=group, resamples=resamples, rng=rng).weights, group)
        for group in groups
    ]
    kinds = ("original", "constant_hedge") if pooled else ("difference",)
    batches: dict[tuple[str, str], list[pd.DataFrame]] = {}
    for start in range(0, repeats, _BATCH):
        size = min(_BATCH, repeats - start)
        drawn = [
            answers(centre, world.methods, size, dataset.group, rng)
            for centre, dataset in zip(world.centres, datasets, strict=True)
        ]
        for metric in ("brier_score", "auroc") if pooled else METRICS:
            estimates = [
                [dataset.estimates(metric, outcome, place, concentration) for place in places]
                for dataset, (outcome, places) in zip(datasets, drawn, strict=True)
            ]
            compared = {
                kind: [_differences(of[-1], of[i]) for of in estimates] for i, kind in enumerate(kinds)
            }
            for kind, of in (compared if pooled else compared | {"alone": [estimates[0][-1]]}).items():
                sets = [Estimate.pool(one) if pooled else one[0] for one in zip(*of, strict=True)]
                batches.setdefault((metric, kind), []).append(statistics.intervals(sets, null=0.0))
    values = [[truth(centre, method, concentration) for method in world.methods] for centre in world.centres]
    rows = []
    p_values = []
    for (metric, kind), parts in batches.items():
        table = pd.concat(parts)
        baseline = [0.0 if kind == "alone" else of[kinds.index(kind)][metric] for of in values]
        true = float(np.mean([of[-1][metric] - other for of, other in zip(values, baseline, strict=True)]))
        covered = ((table["ci_low"] <= true) & (true <= table["ci_high"])).mean()
        width = (table["ci_high"] - table["ci_low"]).mean()
        rows.append(Row(metric, kind, covered, (table["p_value"] < 0.05).mean(), width))
        p_values.append(table["p_value"].to_numpy())
    if pooled:
        least = [statistics.holm(one).min() < 0.05 for one in np.stack(p_values, axis=1)]
        rows.append(Row("any of four", "family", float("nan"), float(np.mean(least)), float("nan")))
    return rows


def _differences(ours: list[Estimate], theirs: list[Estimate]) -> list[Estimate]:
    return [Estimate.combine([(one, 1.0), (other, -1.0)]) for one, other in zip(ours, theirs, strict=True)]


@dataclass(frozen=True)
class _Draws:
    """Draws of every metric for many sets of questions; one set of resampling weights serves all."""

    weights: np.ndarray
    group: np.ndarray

    def estimates(
        self, metric: str, outcome: np.ndarray, place: np.ndarray, concentration: float
    ) -> list[Estimate]:
        """One metric of each set of questions with its draws and how often each unit was drawn."""
        units = int(self.group.max() + 1)
        size = outcome.shape[1]
        if metric == "auroc":
            values, moves = placements(outcome, place)
            draws = values + self._means(moves)
            draws[0] = values
        elif (added := tables(concentration)[metric][outcome, place]).ndim == 2:
            draws = self._means(added)
        else:
            gaps = np.stack([self._means(added[..., cell]) for cell in range(added.shape[2])])
            estimates = [
                statistics.absolute_sum(gaps[:, :, one], units=units, size=size)
                for one in range(len(outcome))
            ]
        if metric in ("auroc", "faithfulness_divergence", "brier_score"):
            estimates = [Estimate.exact(float(one[0]), one[1:], units, size) for one in draws.T]
        counts = self.weights[np.unique(self.group, return_index=True)[1], 1:]
        return [replace(estimate, counts=counts, bounded=metric == "auroc") for estimate in estimates]

    def _means(self, values: np.ndarray) -> np.ndarray:
        """Weighted means of each set on each resample; (1 + resamples, sets)."""
        return (values @ self.weights).T / self.weights.sum(axis=0)[:, None]


def placements(outcome: np.ndarray, place: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The AUROC of each set, and how far each answer moves it (DeLong et al. 1988)."""
    values = np.empty(len(outcome))
    moves = np.empty(outcome.shape)
    for one, (y, p) in enumerate(zip(outcome, place, strict=True)):
        right, wrong = (np.bincount(p[y == side], minlength=200) for side in (1, 0))
        below = (np.cumsum(wrong) - wrong / 2) / wrong.sum()
        above = 1 - (np.cumsum(right) - right / 2) / right.sum()
        values[one] = right @ below / right.sum()
        gained = (below[p] - values[one]) / y.mean(), (above[p] - values[one]) / (1 - y.mean())
        moves[one] = np.where(y == 1, *gained)
    return values, moves
