"""Fit the places of cues on one scale of perceived confidence.

Two kinds of data meet on the scale. Phrase studies give the mean reading of a phrase: they fix the scale.
Scores of running sentences are noisy and pressed together (raters who answered without reading). A score is
taken as ``floor + width * sigma(L)``, L the place of the sentence; ``floor`` and ``width`` are fitted with the
places. So ranking and composition are learned from sentences, and the absolute scale from phrases.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize
from scipy.sparse import csr_array
from scipy.special import expit, logit

from ralc import data
from ralc.english import Cue
from ralc.evaluators.cue_model import cue_key, degree_key

FloatArray = NDArray[np.float64]
#: The classes of cues: ``class, direction, prior``.
CLASSES = data.rows("cue_classes.csv")

#: Prior standard deviations (log-odds) around the assumed places: how far data may move them.
PRIOR_SD = {"class": 1.0, "negated": 1.0, "expression": 0.35, "degree": 0.4, "negated_degree": 0.4}
#: PAPER appendix C.2 defines the ends of the scale in the evaluator prompt: no hedging, or strong certainty, is
#: towards 100; abstention is towards 0. Raw scores alone would put a bare assertion at about 0.7.
ENDS = frozenset(
    ("certain", "sure", "know", "fact", "bare", "clearly", "firm_abstention", "clueless", "abstention")
)
END_SD = 0.04
ANCHORED_SD = 0.1  # expressions of a phrase study speak for their class: little room of their own
#: ASSUME the effects of degree words and of negation where no data speak.
NEGATED = {
    "sure": 0.30,
    "confident": 0.28,
    "certain": 0.42,
    "clearly": 0.30,
    "must": 0.45,
    "unsure": 0.70,
    "doubt": 0.70,
    "fact": 0.35,
    "almost_certain": 0.50,
    "hard_to_say": 0.60,
    "other": 0.40,
}
DEGREE = {
    "max": 0.3,
    "high": 0.6,
    "mid": 0.0,
    "low": -0.4,
    "faint": -0.6,
    "at_all": 0.3,
    "state max": 0.4,
    "state high": 0.3,
    "state mid": -1.5,
    "state low": -2.2,
    "state faint": -3.0,
    "state at_all": 0.0,
}
NEGATED_DEGREE = {"max": 0.4, "high": -0.1, "mid": 0.1, "low": 0.2, "faint": 0.2, "at_all": -1.2}


@dataclass
class Observations:
    """Texts as cues, the value observed of each, and how exactly (standard deviation)."""

    cues: Sequence[Sequence[Cue]]
    values: FloatArray
    sd: FloatArray
    linked: bool  # True: pressed-together scores of sentences; False: on the scale itself
    extra: dict[str, Any] = field(default_factory=dict)


#: Sentences that an expression needs for a place of its own.
OWN_PLACE = 8


class LatentScale:
    """The places of classes, expressions, degrees and negations, fitted together by penalised least squares."""

    def __init__(self, softness: float) -> None:
        """``softness`` is that of the soft minimum."""
        self.softness = softness

    def fit(self, observations: Sequence[Observations]) -> "LatentScale":
        """Fit all observations at once."""
        self._index(observations)
        designs = [(observed, *self._design(observed.cues)) for observed in observations]
        start = np.concatenate([self._prior, [0.35, 0.4]])
        result = minimize(
            self._loss, start, args=(designs,), jac=True, method="L-BFGS-B", options={"maxiter": 500}
        )
        self.parameters = result.x[:-2]
        self.floor, self.width = (float(value) for value in result.x[-2:])
        return self

    def _index(self, observations: Sequence[Observations]) -> None:
        starts = {("class", row["class"]): float(logit(float(row["prior"]))) for row in CLASSES}
        starts |= {("negated", name): float(logit(value)) for name, value in NEGATED.items()}
        starts |= {("degree", name): float(value) for name, value in DEGREE.items()}
        starts |= {("negated_degree", name): float(value) for name, value in NEGATED_DEGREE.items()}
        counts = _counted(observations)
        anchored = set(_counted(observed for observed in observations if not observed.linked))
        often = {expression for expression, count in counts.items() if count >= OWN_PLACE}
        starts |= {("expression", expression): 0.0 for expression in sorted(often | anchored)}
        self.keys = list(starts)
        self._position = {key: place for place, key in enumerate(self.keys)}
        self._prior = np.array(list(starts.values()))
        self._prior_sd = np.array([_prior_sd(kind, name, anchored) for kind, name in self.keys])

    def _columns(self, cue: Cue) -> list[tuple[int, float]]:
        position = self._position
        columns = []
        if cue.negated:
            name = cue.name if ("negated", cue.name) in position else "other"
            columns.append((position["negated", name], 1.0))
            if cue.degree:
                columns.append((position["negated_degree", cue.degree], 1.0))
        else:
            columns.append((position["class", cue.name], 1.0))
            if cue.degree:
                columns.append((position["degree", degree_key(cue)], float(cue.family.direction)))
        column = position.get(("expression", cue_key(cue)))
        return [*columns, (column, 1.0)] if column is not None else columns

    def _design(self, texts: Sequence[Sequence[Cue]]) -> tuple[Any, NDArray[np.intp]]:
        """(cue rows x parameters, text of each cue row); a text without cues has the row of ``bare``."""
        rows = []
        columns = []
        values = []
        owner = []
        for text, cues in enumerate(texts):
            named = [self._columns(cue) for cue in cues if cue.number is None]
            for entries in named or [[(self._position["class", "bare"], 1.0)]]:
                for column, value in entries:
                    rows.append(len(owner))
                    columns.append(column)
                    values.append(value)
                owner.append(text)
        shape = (len(owner), len(self.keys))
        return csr_array((values, (rows, columns)), shape=shape), np.array(owner)

    def _place(
        self, matrix: Any, owner: NDArray[np.intp], parameters: FloatArray
    ) -> tuple[FloatArray, FloatArray]:
        """(place of each text, derivative of its place by each cue's value)."""
        values = matrix @ parameters
        lowest = np.full(owner[-1] + 1, np.inf)
        np.minimum.at(lowest, owner, values)
        weights = np.exp(-(values - lowest[owner]) / self.softness)
        weights /= np.bincount(owner, weights)[owner]
        places = np.bincount(owner, weights * values)
        return places, weights * (1 - (values - places[owner]) / self.softness)

    def _loss(self, point: FloatArray, designs: list[Any]) -> tuple[float, FloatArray]:
        parameters = point[:-2]
        floor = point[-2]
        width = point[-1]
        off = (parameters - self._prior) / self._prior_sd
        loss = float(off @ off)
        gradient = np.concatenate([2 * off / self._prior_sd, [0.0, 0.0]])
        for observed, matrix, owner in designs:
            places, slopes = self._place(matrix, owner, parameters)
            reading = expit(places)
            expected = floor + width * reading if observed.linked else reading
            error = (expected - observed.values) / observed.sd
            loss += float(error @ error)
            pull = 2 * error / observed.sd
            by_place = pull * reading * (1 - reading) * (width if observed.linked else 1.0)
            gradient[:-2] += matrix.T @ (by_place[owner] * slopes)
            if observed.linked:
                gradient[-2] += pull.sum()
                gradient[-1] += pull @ reading
        return loss, gradient

    def places(self, texts: Sequence[Sequence[Cue]]) -> FloatArray:
        """Return the place of each text, in log-odds."""
        matrix, owner = self._design(texts)
        return self._place(matrix, owner, self.parameters)[0]

    def figures(self) -> dict[str, Any]:
        """Return the tables that an evaluator's figures hold."""
        tables: dict[str, dict[str, float]] = {kind: {} for kind in PRIOR_SD}
        for (kind, name), value in zip(self.keys, self.parameters, strict=True):
            tables[kind][name] = round(float(value), 3)
        return {
            "classes": tables["class"],
            "expressions": tables["expression"],
            "negated": tables["negated"],
            "degrees": tables["degree"],
            "negated_degrees": tables["negated_degree"],
            "softness": self.softness,
        }


def _counted(observations: Iterable[Observations]) -> Counter[str]:
    """How many texts have each expression."""
    return Counter(cue_key(cue) for observed in observations for cues in observed.cues for cue in set(cues))


def _prior_sd(kind: str, name: str, anchored: set[str]) -> float:
    if kind == "class" and name in ENDS:
        return END_SD
    return ANCHORED_SD if kind == "expression" and name in anchored else PRIOR_SD[kind]
