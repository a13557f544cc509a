"""Which sentences of an answer share one hedge, so that five sentences of one level do not carry five."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ralc.english.scopes import ALL
from ralc.english.units import Unit
from ralc.rewriting.reasons import SHARED

#: How far a shared hedge may be from what each of its sentences is to say: less than what it may be read to miss.
SPREAD = SHARED - 0.002

#: What it costs to say of how many sentences a hedge speaks, and that some are excepted, beside a plain hedge.
_ANNOUNCED, _EXCEPTED = 1.5, 0.6

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Run:
    """Sentences that one hedge speaks for: their places among the claims, and how many it says that it speaks of.

    ``excepts``: whether others stand among them, which have hedges of their own.
    """

    claims: tuple[int, ...]
    reach: int = 0
    excepts: bool = False

    @property
    def is_shared(self) -> bool:
        """Whether the hedge stands in a sentence of its own."""
        return self.reach > 0


def runs_of(
    claims: Sequence[Unit],
    places: Sequence[int],
    wanted: Sequence[float],
    alone: Sequence[bool],
    levels: Sequence[float],
) -> list[Run]:
    """Return the runs of an answer, with as few hedges as can be.

    From some sentence on, one hedge may speak of whatever follows, but for what has hedges of its own, of which there
    may be no more than it speaks for; else neighbours in a paragraph share one that says how many it speaks of.

    Parameters
    ----------
    claims
        The sentences that claim something.
    places
        Their places among all sentences of the answer.
    wanted
        What each is to be read as, in [0, 1]; NaN where it needs no hedge, or can have none.
    alone
        Which of them no shared hedge speaks for.
    levels
        What the hedges that can be shared are read as.
    """
    known, steps = np.asarray(wanted, float), np.unique(levels)
    same = _neighbours(claims, places)
    level = np.where(np.asarray(alone, bool), np.nan, known)
    best = counted = _counted(known, level, same, steps)
    least = _cost(best)
    lone = np.array([claim.sentence.stretch.lone for claim in claims], bool)
    lone[: np.flatnonzero(np.isnan(known)).max(initial=-1) + 1] = (
        False  # what needs no hedge is not spoken of
    )
    for one in steps:
        within = np.abs(level - one) <= SPREAD
        excepted = _counted(np.where(within, np.nan, known), level, same, steps) if within.sum() > 1 else []
        for start in np.flatnonzero(within & lone)[:-1]:
            others = [run for run in excepted if run.claims[0] > start]
            own = tuple(int(at) for at in np.flatnonzero(within) if at >= start)
            if sum(len(run.claims) for run in others) > len(own):
                continue
            before = [run for run in counted if run.claims[0] < start]
            if _cost(before) + 1 + _cost(others) + _EXCEPTED * bool(others) <= least:
                head = _counted(known[:start], level[:start], same[:start], steps)
                best = [*head, Run(own, ALL, bool(others)), *others]
                least = _cost(best) + _EXCEPTED * bool(others)
    return best


def split_run(run: Run, claims: Sequence[Unit], places: Sequence[int]) -> list[Run]:
    """Return the runs that take the place of one for which no hedge is left: its neighbours, or halves where all are.

    Parameters are those of `runs_of`.
    """
    same = _neighbours(claims, places)
    stretches: list[list[int]] = []
    for at in run.claims:
        if stretches and same[at] and stretches[-1][-1] == at - 1:
            stretches[-1].append(at)
        else:
            stretches.append([at])
    if len(stretches) == 1:
        middle = len(run.claims) // 2
        stretches = [list(run.claims[:middle]), list(run.claims[middle:])]
    return [Run(tuple(own), len(own) if len(own) > 1 else 0) for own in stretches]


def _cost(runs: Sequence[Run]) -> float:
    """What runs cost who reads them, in hedges."""
    return sum(_ANNOUNCED if 0 < run.reach < ALL else 1 for run in runs)


def _neighbours(claims: Sequence[Unit], places: Sequence[int]) -> NDArray[np.bool_]:
    """Whether each claim stands right behind the one before it, in a paragraph."""
    stretches = [claim.sentence.stretch for claim in claims]
    behind = (
        stretches[at].lone and stretches[at] is stretches[at - 1] and places[at] == places[at - 1] + 1
        for at in range(1, len(claims))
    )
    return np.array([False, *behind][: len(claims)], bool)


def _counted(wanted: Floats, level: Floats, same: NDArray[np.bool_], levels: Floats) -> list[Run]:
    """Runs of neighbours from the first sentence on, each as long as it can be."""
    found, at = [], 0
    while at < len(wanted):
        if np.isnan(wanted[at]):
            at += 1
            continue
        end = at + 1
        while (
            end < len(wanted)
            and same[end]
            and not np.isnan(wanted[end])
            and _is_level(level[at : end + 1], levels)
        ):
            end += 1
        found.append(Run(tuple(range(at, end)), end - at if end - at > 1 else 0))
        at = end
    return found


def _is_level(wanted: Floats, levels: Floats) -> bool:
    """Whether one hedge says what all of these are to be read as."""
    low, high = wanted.max() - SPREAD, wanted.min() + SPREAD  # NaN where no shared hedge speaks for one
    return low <= high and bool(np.searchsorted(levels, low) < np.searchsorted(levels, high, side="right"))
