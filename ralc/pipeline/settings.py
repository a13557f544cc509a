"""How results are measured."""

import zlib
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Settings:
    """How results are measured.

    Parameters
    ----------
    bins : mapping
        Number of bins of gECE and ECE by variant, ``default`` among them.
    resamples : int
        Bootstrap resamples.
    null_repeats : int
        Simulations of the gECE of a perfectly calibrated forecaster.
    tail : float
        Share of answers at each end of mean and concentration in table 1.
    samples : int, optional
        Draws an item of a Monte-Carlo generalised ECE (protocol ``authors``); by default it is exact.
    seed : int
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
