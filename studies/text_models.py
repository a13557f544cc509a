"""What tells code, and other languages, from English prose: the English of public datasets, and a sparse regression."""

import re
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.feature_extraction import DictVectorizer
from sklearn.linear_model import LogisticRegression

from ralc import datasets

_SENTENCE_END = re.compile(r"(?<=[.!?])\s+(?=[A-Z0-9])")


def english(shared: Path) -> tuple[list[str], list[str], list[str]]:
    """Return sentences and answers of SQuAD, choices of MMLU, and answers of TruthfulQA, right and wrong."""
    squad = datasets.load("squad2", {"path": str(shared / "squad2/dev-v2.0.json.gz")})
    mmlu = datasets.load("mmlu", {"path": str(shared / "mmlu/test")})
    truthful = datasets.load("truthfulqa", {"path": str(shared / "truthfulqa/TruthfulQA.csv")})
    sentences = [part for text in squad["context"].unique() for part in _SENTENCE_END.split(text)]
    answers = [answer for kind in ("accepted", "wrong") for row in truthful[kind] for answer in row]
    return (
        [*sentences, *(answer for row in squad["accepted"] for answer in row)],
        [choice for row in mmlu["choices"] for choice in row],
        answers,
    )


def sparse_regression(
    found: Sequence[Mapping[str, float]],
    labels: ArrayLike,
    *,
    least: int,
    penalty: float,
    train: slice | NDArray[np.bool_] = slice(None),
) -> tuple[dict[str, float], float, NDArray[np.float64]]:
    """Return the weights and the intercept of a logistic regression to two digits, and the log-odds of every text.

    Parameters
    ----------
    found
        The features of each text.
    labels
        1 or 0 for each.
    least
        Texts that a feature needs, or it has no weight.
    penalty
        Inverse strength of the penalty, which is of absolute weights.
    train
        The texts that it is fitted on.
    """
    names = DictVectorizer()
    table = names.fit_transform(found)
    common = table.getnnz(axis=0) >= least
    table = table[:, common]
    model = LogisticRegression(penalty="l1", solver="liblinear", C=penalty, random_state=0)
    model.fit(table[train], np.asarray(labels)[train])
    pairs = zip(names.get_feature_names_out()[common], model.coef_[0].tolist(), strict=True)
    weights = {name: weight for name, exact in pairs if (weight := round(exact, 2))}
    return weights, round(float(model.intercept_[0]), 2), model.decision_function(table)
