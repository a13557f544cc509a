"""What to do with an answer of a calibrated confidence: answer, hedge, abstain or escalate, from what errors cost."""

import math
import warnings
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, Literal, Self

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike

from ralc.beta import Beta
from ralc.beta.validation import probabilities, same_shape
from ralc.calibrator.evaluation import jeffreys
from ralc.reliance import Reliance, Situation
from ralc.rewriting import Door, Reason, Rewrite

Action = Literal["answer", "hedge", "abstain", "escalate"]
#: Confidences at which it is worked out whether a hedged answer is better than none.
_GRID = np.linspace(0.005, 0.995, 199)
#: The probability with which a guaranteed share of wrong answers is kept.
GUARANTEE = 0.9
#: How many bounds are tried.
_BOUNDS = 10


@dataclass(frozen=True)
class Policy:
    """Bounds of the calibrated confidence between what is done with an answer.

    Parameters
    ----------
    hedge_from, answer_from
        From the first on an answer in calibrated words is worth more than none, by what people do on reading one
        (`ralc.reliance`): who does not rely on it asks. From the second on relying on it is better than asking.
    abstain
        What is said in place of an answer below both; "" escalates: the answer goes on to somebody who knows.
    """

    hedge_from: float
    answer_from: float
    abstain: str = ""

    @classmethod
    def of(cls, *, wrong: float, ask: float, abstain: str = "") -> Self:
        """Return the policy of least cost.

        Parameters
        ----------
        wrong
            What it costs to rely on a wrong answer.
        ask
            What it costs to ask elsewhere, in the same unit.
        abstain
            What is said in place of an answer that is worth less than none; "" escalates.

        Raises
        ------
        ValueError
            Unless both costs are finite and above 0.

        Examples
        --------
        >>> Policy.of(wrong=5, ask=1).action(0.7)
        'hedge'
        """
        for name, cost in (("wrong", wrong), ("ask", ask)):
            if not (math.isfinite(cost) and cost > 0):
                raise ValueError(f"{name} = {cost!r} is no cost above 0")
        # Who asks at every price below being wrong has no use for an answer; who never asks takes all.
        bound = max(1 - ask / wrong, 0.0)
        return cls(min(_hedge_from(wrong / ask), bound) if bound else 0.0, bound, abstain)

    def action(self, target: Any) -> Action:
        """Return what to do with an answer by its calibrated confidence; the least sure of several claims decides."""
        least = float(np.min(target.mean if isinstance(target, Beta) else target))
        if least >= self.answer_from:
            return "answer"
        if least >= self.hedge_from:
            return "hedge"
        return "abstain" if self.abstain else "escalate"

    def applied(self, rewrite: Rewrite) -> tuple[Action | None, str]:
        """Return what to do with a rewritten answer (None: it has no confidence), and the text that goes out."""
        if rewrite.reason == Reason.ABSTAINS:
            return "abstain", rewrite.text
        if rewrite.door == Door.CLAIMS_NOTHING:
            return "answer", rewrite.text
        action = None if rewrite.target is None else self.action(rewrite.target)
        return action, self.abstain if action == "abstain" else rewrite.text

    def guaranteed(self, target: ArrayLike, correct: ArrayLike, share: float) -> Self:
        """Return this policy with a `hedge_from` above which at most a `share` of the answers that go out are wrong.

        The bound is MAPIE's (Learn Then Test, Holm's correction): over draws of as many held-out answers it keeps the
        share with probability `GUARANTEE`, whatever the map says. Needs ``pip install 'pyralc[guarantees]'``.

        Parameters
        ----------
        target, correct
            Calibrated confidences of held-out answers, and whether each is right, 0 or 1.
        share
            In (0, 1).

        Raises
        ------
        ValueError
            If no bound keeps the share; then more graded answers, or a larger share, are needed.
        """
        from mapie.risk_control import BinaryClassificationController

        y, p = _held_out(target, correct)
        if not (0 < share < 1 and np.isin(y, (0, 1)).all()):
            raise ValueError(f"guarantee = {share!r} must lie in (0, 1), and each outcome be 0 or 1")
        bounds = np.linspace(self.hedge_from, 1, _BOUNDS, endpoint=False)
        controller = BinaryClassificationController(
            lambda p: np.column_stack([1 - p, p]),
            "precision",
            1 - share,
            GUARANTEE,
            list_predict_params=bounds,
        )
        with warnings.catch_warnings(action="ignore"):  # it warns where there is no such bound
            least = controller.calibrate(p, y.astype(int)).best_predict_param
        if least is None:
            remedy = "grade more answers, or allow a larger share"
            raise ValueError(f"guarantee = {share:g}: {y.size} answers guarantee it at no bound; {remedy}")
        return replace(self, hedge_from=float(least), answer_from=max(self.answer_from, float(least)))

    def test(self, target: ArrayLike, correct: ArrayLike) -> pd.DataFrame:
        """Return the error rates on held-out answers, a row each: ``rate, value, ci_low, ci_high, n`` (95 % intervals).

        ``wrong_sent`` is the share of wrong answers that go out, ``right_held_back`` that of right ones that do not
        (false alarms).
        """
        y, p = _held_out(target, correct)
        sent = p >= self.hedge_from
        rates = {"wrong_sent": (sent, 1 - y), "right_held_back": (~sent, y)}
        rows = []
        for rate, (hit, weight) in rates.items():
            seen = (hit * weight).sum()
            of = weight.sum()
            rows.append((rate, seen / of if of else math.nan, *jeffreys(seen, of), of))
        return pd.DataFrame(rows, columns=["rate", "value", "ci_low", "ci_high", "n"])


def _held_out(target: ArrayLike, correct: ArrayLike) -> tuple[np.ndarray, np.ndarray]:
    """Outcomes and calibrated confidences of held-out answers, shape (n,), in [0, 1]."""
    y = probabilities(correct, "correct")
    p = probabilities(target, "target")
    same_shape(y.shape, p.shape, names="correct and target")
    return y, p


@lru_cache(maxsize=64)
def _hedge_from(wrong: float) -> float:
    """The least confidence from which a hedged answer costs less than to ask at once, which costs 1."""
    prior = Situation().before()[..., None]  # of wrong answers and of right ones
    accepted = Reliance.committed().accepts(prior, _GRID, 1 - 1 / wrong).mean(axis=1)
    cost = (1 - _GRID) * (accepted[0] * wrong + 1 - accepted[0]) + _GRID * (1 - accepted[1])
    dearer = np.flatnonzero(cost > 1 - 1e-6)
    return float(_GRID[min(dearer.max() + 1, _GRID.size - 1)]) if dearer.size else 0.0
