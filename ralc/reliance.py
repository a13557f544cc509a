"""Reliance: what people believe and decide after reading an answer, and what that costs them.

Log-odds pooling, fitted on people (`studies/reliance.py`), the best of five models by people left out:

    logit b' = i + w logit b + v logit s + sigma z

b is belief before, s the shown confidence, b' belief after. z is standard normal: how people differ from the mean. An
answer is accepted where b' reaches a threshold t. Accepting a wrong answer costs t, a right one gains 1 - t. People
differ in the number that they give to words, so s is a Beta, and every outcome is its expectation.

ASSUME A word acts as the number that people give it: the studies showed numbers. Situations with a `scale` or a `drift`
say how much hangs on that. Another answer's prior is not known, either: beliefs before are those of one study, or flat.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal, Self

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import expit, logit, ndtr

from ralc import data
from ralc.beta import Beta, require_beta
from ralc.beta.validation import Floats, probabilities, same_shape
from ralc.metrics import bin_masses

#: Beliefs and shown confidences are kept within [FLOOR, 1 - FLOOR]: people answer in hundredths and many say 0 or 100.
FLOOR = 0.02
#: Cells of the shown confidence in which outcomes are taken to be linear; FLOOR is the edge of one.
CELLS = 50
_NODES, _WEIGHTS = np.polynomial.hermite_e.hermegauss(11)
_WEIGHTS = _WEIGHTS / _WEIGHTS.sum()


@dataclass(frozen=True)
class Reliance:
    """Belief after as a function of belief before and of the confidence shown: log-odds pooling.

    The weights are on logits: ``(0, 1, 0)`` never changes its mind, ``(0, 0, 1)`` adopts the number. `scatter` is the
    standard deviation of people's logits about that.
    """

    intercept: float
    prior: float
    shown: float
    scatter: float = 0.0

    def belief(self, prior: ArrayLike, shown: ArrayLike) -> Floats:
        """Return belief after, the median of people; both arguments in [0, 1], broadcast against each other.

        >>> Reliance(0, 1, 0).belief([0.2, 0.9], 0.5).round(9).tolist()
        [0.2, 0.9]
        """
        return expit(self._after(prior, shown))

    def accepts(self, prior: ArrayLike, shown: ArrayLike, threshold: float) -> Floats:
        """Return the share of people whose belief reaches a threshold.

        Parameters
        ----------
        prior, shown : array_like in [0, 1]
            Belief before, and the confidence that is shown; they broadcast.
        threshold : float
            Belief from which an answer is accepted, in (0, 1).
        """
        beyond = self._after(prior, shown) - logit(threshold)
        return ndtr(beyond / self.scatter) if self.scatter else (beyond >= 0).astype(np.float64)

    def distance(self, prior: ArrayLike, shown: ArrayLike, truth: ArrayLike) -> Floats:
        """Return the mean squared distance of people's belief from the truth.

        Parameters
        ----------
        prior, shown : array_like in [0, 1]
            Belief before, and the confidence that is shown; they broadcast.
        truth : array_like
            0 or 1.
        """
        beliefs = expit(self._after(prior, shown)[..., None] + self.scatter * _NODES)
        return (beliefs - np.asarray(truth)[..., None]) ** 2 @ _WEIGHTS

    def _after(self, prior: ArrayLike, shown: ArrayLike) -> Floats:
        before, stated = (
            logit(np.clip(probabilities(values, name), FLOOR, 1 - FLOOR))
            for values, name in ((prior, "prior"), (shown, "shown"))
        )
        return self.intercept + self.prior * before + self.shown * stated

    @classmethod
    def committed(cls) -> Self:
        """Return what was fitted on people (`ralc/data/reliance.json`)."""
        return cls(**{name: value["value"] for name, value in _committed()["weights"].items()})


@dataclass(frozen=True)
class Situation:
    """Who reads, and what is at stake.

    `priors` is belief before: that of ``people`` in the advice study, higher in right than in wrong advice, or
    ``flat``. A word's number is multiplied by `scale` (context moves it by up to a fifth), and a unit of own belief
    adds `drift` to it.
    """

    priors: Literal["people", "flat"] = "people"
    threshold: float = 0.5
    scale: float = 1.0
    drift: float = 0.0

    def before(self) -> Floats:
        """Return equally likely beliefs before, shape (2, beliefs): of a wrong answer and of a right one."""
        if self.priors == "people":
            priors = _committed()["priors"]
            return np.array([priors["wrong"], priors["right"]])
        return np.tile((np.arange(100) + 0.5) / 100, (2, 1))


#: The situations that are reported, by the variant of the results; the last three show what hangs on the bridge.
SITUATIONS: dict[str, Situation] = {
    "default": Situation(),
    "prior=flat": Situation(priors="flat"),
    "threshold=0.25": Situation(threshold=0.25),
    "threshold=0.75": Situation(threshold=0.75),
    "bridge=lower": Situation(scale=0.8),
    "bridge=higher": Situation(scale=1.2),
    "bridge=own_belief": Situation(drift=0.05),
}


def measures(
    outcome: ArrayLike, masses: tuple[Floats, Floats], situation: Situation = SITUATIONS["default"]
) -> dict[str, tuple[Floats, Floats]]:
    """Return, by the name of a metric, one value and one weight an answer: the metric is the weighted mean.

    ``accepted_wrong``, ``accepted_right``: accepted shares of
    wrong and of right ones. ``decision_accuracy``: right ones accepted, wrong ones not. ``belief_brier_score``: squared
    distance of belief from the truth. ``value_over_never``, ``value_over_always``: what a decision gains over accepting
    nothing and over accepting all, in units of a right answer accepted plus a wrong one not.

    Parameters
    ----------
    outcome : array_like in [0, 1], shape (N,)
        Whether an answer is right, or the share of it that is.
    masses : two arrays of shape (N, CELLS)
        The shown confidences (`confidence_masses`).
    situation
        What people know and believe before, and what a wrong answer costs them.

    Examples
    --------
    >>> value, weight = measures([0, 1], confidence_masses(Beta([2, 9], [8, 1])))["accepted_wrong"]
    >>> bool(value @ weight / weight.sum() < 0.2)
    True
    """
    y = probabilities(outcome, "outcome")
    same_shape(y.shape, masses[0].shape[:1], names="outcome and masses")
    # What is linear inside each cell is integrated over the masses and the integrals of each confidence.
    profile = _profile(situation)
    mass, integral = masses
    inside = integral - mass * np.linspace(0, 1, CELLS + 1)[:-1]
    outcomes = np.tensordot(mass, profile[:-1], 1) + np.tensordot(inside, np.diff(profile, axis=0) * CELLS, 1)
    accepted_wrong, accepted_right = outcomes[:, :, 0].T
    missed_wrong, missed_right = outcomes[:, :, 1].T
    ones = np.ones_like(y)
    gain = situation.threshold
    value = y * (1 - gain) * accepted_right - (1 - y) * gain * accepted_wrong
    return {
        "accepted_wrong": (accepted_wrong, 1 - y),
        "accepted_right": (accepted_right, y),
        "decision_accuracy": (y * accepted_right + (1 - y) * (1 - accepted_wrong), ones),
        "belief_brier_score": (y * missed_right + (1 - y) * missed_wrong, ones),
        "value_over_never": (value, ones),
        "value_over_always": (value - (y - gain), ones),
    }


def confidence_masses(confidence: Beta) -> tuple[Floats, Floats]:
    """Return confidences, a Beta over evaluators each, as `measures` takes them: their masses by cell."""
    return bin_masses(require_beta(confidence, "confidence"), bins=CELLS)


@lru_cache
def _profile(situation: Situation) -> Floats:
    """The outcomes of a shown confidence at each edge of a cell, for a wrong answer and a right one.

    Shape (CELLS + 1, 2, 2): the share of readers who accept, and the mean squared distance of belief from the truth.
    """
    reliance = Reliance.committed()
    prior = situation.before()
    edges = np.linspace(0, 1, CELLS + 1)[:, None, None]
    confidence = np.clip(situation.scale * edges + situation.drift * (prior - 0.5), 0, 1)
    outcomes = (
        reliance.accepts(prior, confidence, situation.threshold),
        reliance.distance(prior, confidence, [[0.0], [1.0]]),
    )
    return np.stack([values.mean(axis=-1) for values in outcomes], axis=-1)


@lru_cache
def _committed() -> Mapping:
    """The committed figures."""
    return json.loads(data.path("reliance.json").read_text(encoding="utf-8"))
