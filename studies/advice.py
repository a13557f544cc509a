"""What plain advice did to people's beliefs and decisions, and what the adviser's calibrated confidence would do.

118 people said how likely each of four choices of a question of MMLU was, had a model's advice, and said it again. For
most questions the adviser's log-probabilities of the letters, before it reasoned, are known. Mapped to how often its
advice is right, on questions left out, they are what it could have shown. Beliefs over four choices are pooled as odds
are (`ralc.reliance`), choice by choice on the logarithm. The advice has what is shown, each other choice a third of
the rest. Figures are of `studies.reliance`, which writes them.
"""

import re
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy.optimize import brentq
from scipy.special import logit, softmax
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GroupKFold

from ralc import statistics
from ralc.reliance import FLOOR, Reliance

LETTERS = "ABCD"
FOLDS = 5
RESAMPLES = 2000
#: Log-probabilities of letters are kept so far from 0 and 1 before their map.
_PROBABILITY_FLOOR = 0.005
_LETTER = re.compile(r'"\s*([A-Da-d])"\s*:\s*(-?\d+(?:\.\d+)?(?:e-?\d+)?)')
Floats = NDArray[np.float64]


class Decisions(NamedTuple):
    """Decisions with advice: beliefs over the choices, which is advised, which is right; a row each."""

    before: Floats
    after: Floats
    advised: NDArray[np.int64]
    right: NDArray[np.int64]
    probability: Floats
    """What the adviser's log-probabilities give the advised letter; NaN where there are none."""
    question: NDArray[np.int64]
    person: NDArray[np.int64]

    @property
    def good(self) -> NDArray[np.bool_]:
        """Whether the advice was right."""
        return self.advised == self.right

    def joined(self) -> "Decisions":
        """Return those whose log-probabilities are known."""
        scored = ~np.isnan(self.probability)
        return Decisions(*(column[scored] for column in self))


def read_advice(folder: Path) -> Decisions:
    """Return the decisions with one of the four letters as advice."""
    table = pd.read_csv(folder / "reliance/advice/responses.csv.gz")
    table = table[table["advice_answer"].isin(list(LETTERS))]
    answers = pd.read_csv(folder / "reliance/advice/model_answers.csv.gz").drop_duplicates("question")
    shares = dict(zip(answers["question"], map(letter_probabilities, answers["logprobs"]), strict=True))
    pairs = zip(table["question"], table["advice_answer"], strict=True)
    return Decisions(
        before=table[[f"init_choice{letter}" for letter in LETTERS]].to_numpy(float),
        after=table[[f"adjusted_choice{letter}" for letter in LETTERS]].to_numpy(float),
        advised=table["advice_answer"].map(LETTERS.index).to_numpy(),
        right=table["correct_answer"].map(LETTERS.index).to_numpy(),
        probability=np.array([shares[q][letter] if q in shares else np.nan for q, letter in pairs]),
        question=pd.factorize(table["question"], sort=True)[0],
        person=pd.factorize(table["participant_id"])[0],
    )


def letter_probabilities(printed: str) -> dict[str, float]:
    """Return the probabilities of the letters from a printed object of log-probabilities: parsed, never evaluated.

    >>> letter_probabilities('[<Object> JSON: {" C": -0.6931, "c": -1.3863, "A": -3.0}]')["C"].__round__(3)
    0.75
    """
    shares = dict.fromkeys(LETTERS, 0.0)
    for letter, logprob in _LETTER.findall(printed):
        shares[letter.upper()] += float(np.exp(float(logprob)))
    return shares


def plain_advice(decisions: Decisions, pooling: Reliance, rng: np.random.Generator) -> dict:
    """Return what people did with plain advice, with intervals over people."""
    rows = np.arange(len(decisions.right))
    good = decisions.good
    before, after = (belief[rows, decisions.advised] for belief in (decisions.before, decisions.after))
    joined = decisions.joined()
    scored = ~np.isnan(decisions.probability)
    measured = {
        "accuracy_before": statistics.mean(accuracy(joined.before, joined.right)).at(scored),
        "accuracy_after": statistics.mean(accuracy(joined.after, joined.right)).at(scored),
    }
    for name, chosen in (("wrong", ~good), ("right", good)):
        measured |= {
            f"belief_in_{name}_advice_before": statistics.mean(before[chosen]).at(chosen),
            f"belief_in_{name}_advice_after": statistics.mean(after[chosen]).at(chosen),
            f"{name}_advice_accepted": statistics.mean(after[chosen] >= 0.5).at(chosen),
        }
    estimates = statistics.bootstrap(
        measured, items=len(good), groups=decisions.person, resamples=RESAMPLES, rng=rng
    )
    acts_as = _acts_as(before, after, decisions.person, pooling, rng)
    wrong = _between(after[~good] >= 0.5, decisions.person[~good])
    counted = {
        "wrong_advice_accepted_sd": wrong,
        "decisions": len(good),
        "joined": int(scored.sum()),
        "people": int(decisions.person.max()) + 1,
    }
    return counted | _as_dict(statistics.intervals(estimates)) | {"acts_as": acts_as}


def _between(accepted: NDArray[np.bool_], person: NDArray[np.int64]) -> float:
    """Standard deviation between people of the share that they accept, without what few decisions a person add."""
    rows = pd.DataFrame({"person": person, "accepted": accepted.astype(float)}).groupby("person")["accepted"]
    share = rows.mean()
    n = rows.size()
    chance = share * (1 - share) / (n - 1).clip(lower=1)
    return float(np.sqrt(max(share.var() - chance.mean(), 0.0)))


def _acts_as(
    before: Floats, after: Floats, person: NDArray[np.int64], pooling: Reliance, rng: np.random.Generator
) -> dict[str, float]:
    """The number that plain advice acts as: shown to these people, as many of them would accept; people resampled."""
    accepted = after >= 0.5
    rows = [np.flatnonzero(person == one) for one in np.unique(person)]

    def number(chosen: NDArray[np.int64]) -> float:
        lacking = lambda s: pooling.accepts(before[chosen], s, 0.5).mean() - accepted[chosen].mean()  # noqa: E731
        return float(brentq(lacking, FLOOR, 1 - FLOOR)) if lacking(1 - FLOOR) > 0 else 1 - FLOOR

    drawn = [rng.integers(len(rows), size=len(rows)) for _ in range(RESAMPLES)]
    numbers = [number(np.concatenate([rows[one] for one in draw])) for draw in drawn]
    low, high = np.quantile(numbers, [0.025, 0.975])
    return {"value": number(np.arange(len(person))), "ci_low": float(low), "ci_high": float(high)}


def with_confidence(decisions: Decisions, pooling: Reliance, rng: np.random.Generator) -> dict:
    """Return accuracy and Brier score by pooling with the adviser's calibrated confidence, less those of two others.

    ``constant``: its accuracy shown every time. ``plain``: what people said with plain advice.
    """
    chosen = decisions.joined()
    confidence, constant = calibrated(chosen)
    ours, hedged = (pooled(chosen, shown, pooling) for shown in (confidence, constant))
    measured = {}
    for name, theirs in (("constant", hedged), ("plain", chosen.after)):
        for metric, of in (("accuracy", accuracy), ("brier_score", brier_score)):
            measured[f"{metric}_less_{name}"] = statistics.mean(
                of(ours, chosen.right) - of(theirs, chosen.right)
            )
    estimates = statistics.bootstrap(
        measured, items=len(chosen.right), groups=chosen.person, resamples=RESAMPLES, rng=rng
    )
    return _as_dict(statistics.intervals(estimates))


def calibrated(decisions: Decisions) -> tuple[Floats, Floats]:
    """Return how often advice of this log-probability is right, and how often advice is, by questions left out."""
    score = np.clip(decisions.probability, _PROBABILITY_FLOOR, 1 - _PROBABILITY_FLOOR)
    design = logit(score)[:, None]
    good = decisions.good
    confidence = np.empty(len(good))
    constant = np.empty(len(good))
    for fitted, left_out in GroupKFold(FOLDS).split(design, groups=decisions.question):
        platt = LogisticRegression(C=np.inf).fit(design[fitted], good[fitted])
        confidence[left_out] = platt.predict_proba(design[left_out])[:, 1]
        constant[left_out] = good[fitted].mean()
    return confidence, constant


def pooled(decisions: Decisions, confidence: Floats, pooling: Reliance) -> Floats:
    """Return beliefs over the four choices after advice that says its confidence."""
    rows = np.arange(len(confidence))
    shown = np.repeat((1 - confidence)[:, None] / 3, 4, axis=1)
    shown[rows, decisions.advised] = confidence
    before = np.log(np.maximum(decisions.before, FLOOR))
    return softmax(pooling.prior * before + pooling.shown * np.log(shown), axis=1)


def accuracy(belief: Floats, right: NDArray[np.int64]) -> Floats:
    """Return whether the likeliest choice is right; ties are shared.

    >>> accuracy(np.array([[0.4, 0.4, 0.1, 0.1]]), np.array([1])).tolist()
    [0.5]
    """
    top = np.isclose(belief, belief.max(axis=1, keepdims=True))
    return top[np.arange(len(right)), right] / top.sum(axis=1)


def brier_score(belief: Floats, right: NDArray[np.int64]) -> Floats:
    """Return the squared distance of beliefs over the choices from the truth, in [0, 2]."""
    return ((belief - np.eye(4)[right]) ** 2).sum(axis=1)


def priors(decisions: Decisions) -> dict[str, list[float]]:
    """Return beliefs in the advised choice before advice, wrong and right: the middle of each hundredth."""
    before = decisions.before[np.arange(len(decisions.right)), decisions.advised]
    places = (np.arange(100) + 0.5) / 100
    sides = {"wrong": ~decisions.good, "right": decisions.good}
    return {name: np.quantile(before[chosen], places).round(4).tolist() for name, chosen in sides.items()}


def _as_dict(table: pd.DataFrame) -> dict[str, dict[str, float]]:
    return {name: row.to_dict() for name, row in table[["value", "ci_low", "ci_high"]].iterrows()}
