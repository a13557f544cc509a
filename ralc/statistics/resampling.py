"""The bootstrap over items or over groups of items, for many statistics at once."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Self

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike
from scipy import special

from ralc.beta.validation import Floats
from ralc.statistics.builders import Statistic

#: Elements of the weights drawn at once.
_SLICE = 100_000


@dataclass(frozen=True)
class Bootstrap:
    """What a bootstrap drew: any two of its statistics saw the same resamples.

    Parameters
    ----------
    names : tuple of str
    estimates : array of shape (statistics,)
        Each statistic of the items as they are.
    draws : array of shape (statistics, resamples)
        Each statistic of each resample; NaN where it is not defined.
    sizes : array of shape (statistics,)
        Number of items.
    """

    names: tuple[str, ...]
    estimates: Floats
    draws: Floats
    sizes: np.ndarray

    def combine(self, combinations: Mapping[str, Mapping[str, float]]) -> Self:
        """Return linear combinations: paired differences ``{"ralc": 1, "original": -1}``, means over models.

        Raises
        ------
        ValueError
            If a combination names a statistic that is not here.
        """
        known = {name: index for index, name in enumerate(self.names)}
        for label, terms in combinations.items():
            for name in terms:
                if name not in known:
                    raise ValueError(f"combination {label!r}: no statistic {name!r}")
        picks = [
            ([known[name] for name in terms], np.array(list(terms.values())))
            for terms in combinations.values()
        ]
        return type(self)(
            names=tuple(combinations),
            estimates=np.array([factors @ self.estimates[index] for index, factors in picks]),
            draws=np.array([factors @ self.draws[index] for index, factors in picks]),
            sizes=np.array([self.sizes[index].min() for index, _ in picks]),
        )

    def join(self, other: "Bootstrap") -> Self:
        """Return the statistics of both; those of one and of the other are not paired, unless drawn alike."""
        return type(self)(
            names=self.names + other.names,
            estimates=np.concatenate([self.estimates, other.estimates]),
            draws=np.concatenate([self.draws, other.draws]),
            sizes=np.concatenate([self.sizes, other.sizes]),
        )

    def table(self, *, level: float = 0.95, null: float | None = None) -> pd.DataFrame:
        """Return value, standard error, interval and n of each statistic; with `null` its p-value, two-sided.

        Intervals are bias-corrected percentiles (Efron 1987): resampling pushes calibration errors up, and
        plain percentiles would count that bias twice. The p-value is the level at which the interval just
        reaches `null`, with one resample added on either side, so that it is never 0. Both are NaN with fewer
        than two items or groups.
        """
        shift = np.array(
            [_bias(draws, value) for draws, value in zip(self.draws, self.estimates, strict=True)]
        )
        tails = special.ndtri([(1 - level) / 2, (1 + level) / 2])
        bounds = [
            _quantiles(draws, special.ndtr(2 * z + tails)) for draws, z in zip(self.draws, shift, strict=True)
        ]
        table = pd.DataFrame(
            {
                "value": self.estimates,
                "standard_error": [_spread(draws) for draws in self.draws],
                "ci_low": [low for low, _ in bounds],
                "ci_high": [high for _, high in bounds],
            },
            index=pd.Index(self.names),
        )
        if null is not None:
            table["p_value"] = [_p_value(draws, null, z) for draws, z in zip(self.draws, shift, strict=True)]
        return table.assign(n=self.sizes)


def bootstrap(
    statistics: Mapping[str, Statistic],
    *,
    items: int,
    groups: ArrayLike | None = None,
    resamples: int = 2000,
    rng: np.random.Generator,
) -> Bootstrap:
    """Resample items, or whole groups of them, and evaluate every statistic on the same resamples.

    Parameters
    ----------
    statistics : mapping of names to `Statistic`
    items : int
        Number of items that are resampled; statistics of some of them say which (`Statistic.at`).
    groups : array_like of shape (items,), optional
        What is drawn together, such as SQuAD's articles; without it each item by itself.
    resamples : int
    rng : numpy Generator
        A generator in the same state draws the same resamples for the same items and groups.

    Raises
    ------
    ValueError
        If a statistic's size does not fit, or a group is missing.
    """
    if resamples < 1:
        raise ValueError(f"resamples must be at least 1: resamples = {resamples}")
    for name, statistic in statistics.items():
        reach = statistic.size if statistic.items is None else statistic.items.max() + 1
        if reach > items or (statistic.items is None and reach != items):
            raise ValueError(f"statistic {name!r} has {reach} items, the bootstrap {items}")
    codes, units = _codes(groups, items)
    draws = np.full((len(statistics), resamples), np.nan)
    if units > 1:
        start = 0
        for weights in _weights(items, codes, units, resamples, rng):
            stop = start + len(weights)
            for row, statistic in zip(draws, statistics.values(), strict=True):
                row[start:stop] = statistic.evaluate(
                    weights if statistic.items is None else weights[:, statistic.items]
                )
            start = stop
    return Bootstrap(
        names=tuple(statistics),
        estimates=np.array([statistic.value for statistic in statistics.values()]),
        draws=draws,
        sizes=np.array([statistic.size for statistic in statistics.values()]),
    )


def _codes(groups: ArrayLike | None, items: int) -> tuple[np.ndarray | None, int]:
    """The group of each item, and how many units are resampled."""
    if groups is None:
        return None, items
    codes, labels = pd.factorize(np.asarray(groups, dtype=object))
    if codes.shape != (items,):
        raise ValueError(
            f"groups must name the group of each of the {items} items: its length is {codes.size}"
        )
    if (codes < 0).any():
        raise ValueError(f"groups[{int(np.argmin(codes))}] is missing")
    return codes, len(labels)


def _weights(
    items: int, codes: np.ndarray | None, units: int, resamples: int, rng: np.random.Generator
) -> Iterator[Floats]:
    """How often each item is drawn, some resamples at a time; (some, items) each."""
    step = max(_SLICE // items, 1)
    for start in range(0, resamples, step):
        some = min(step, resamples - start)
        drawn = rng.integers(units, size=(some, units)) + units * np.arange(some)[:, None]
        counts = np.bincount(drawn.ravel(), minlength=some * units).reshape(some, units)
        yield (counts if codes is None else counts[:, codes]).astype(np.float64)


def _defined(draws: Floats) -> Floats:
    """The draws in which the statistic is defined."""
    return draws[~np.isnan(draws)]


def _bias(draws: Floats, value: float) -> float:
    """Normal quantile of the share of draws below the value; 0 where that says nothing."""
    kept = _defined(draws)
    if not kept.size or np.isnan(value):
        return 0.0
    # A rounding of the statistic is a tie, which counts half.
    slack = 1e-12 * max(abs(value), np.abs(kept).max())
    share = ((kept < value - slack).sum() + (np.abs(kept - value) <= slack).sum() / 2) / kept.size
    return float(special.ndtri(np.clip(share, 1 / (kept.size + 1), kept.size / (kept.size + 1))))


def _quantiles(draws: Floats, shares: Floats) -> Floats:
    """Quantiles of the defined draws."""
    kept = _defined(draws)
    return np.quantile(kept, shares) if kept.size else np.full(len(shares), np.nan)


def _spread(draws: Floats) -> float:
    """Standard deviation of the defined draws."""
    kept = _defined(draws)
    return float(kept.std(ddof=1)) if kept.size > 1 else float("nan")


def _p_value(draws: Floats, null: float, bias: float) -> float:
    """Two-sided p-value of the statistic being `null`."""
    kept = _defined(draws)
    if not kept.size:
        return float("nan")
    smallest = 1 / (kept.size + 1)
    sides = [((kept <= null).sum() + 1) * smallest, ((kept >= null).sum() + 1) * smallest]
    low, high = special.ndtri(np.minimum(sides, 1.0))
    # The bias correction of the interval, undone at `null`.
    corrected = special.ndtr([low - 2 * bias, high + 2 * bias])
    return float(np.clip(2 * np.min(corrected), 2 * smallest, 1.0))
