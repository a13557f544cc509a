"""The evaluator apart from every run: its regression, and what it is worth."""

import numpy as np
import pandas as pd
import pytest

from ralc import data
from studies.apart import PENALTIES, regression, worth


def test_the_regression_finds_a_line_and_takes_the_penalty_that_does_best_on_groups_left_out():
    rng = np.random.default_rng(1)
    embeddings = rng.normal(size=(200, 3))
    targets = 0.5 + 0.1 * embeddings[:, 0]
    found = regression(embeddings, targets, [str(row % 20) for row in range(200)])
    assert found.best_params_["ridge__alpha"] == PENALTIES[0]  # nothing is noise
    assert found.predict(np.zeros((1, 3)))[0] == pytest.approx(0.5, abs=0.02)


def test_what_is_left_out_is_compared_by_sentence_and_by_phrase():
    rows = pd.DataFrame(
        {
            "kind": ["question"] * 3 + ["phrase"] * 4,
            "group": ["a", "b", "c", "likely", "likely", "unlikely", "unlikely"],
            "target": [0.1, 0.5, 0.9, 0.7, 0.7, 0.2, 0.2],
        }
    )
    read = np.array([0.2, 0.5, 0.8, 0.9, 0.5, 0.0, 0.6])  # by phrase .7 and .3
    assert worth(rows, read) == [
        "left out, 3 sentences: Pearson 1.000",
        "left out, 2 phrases: Pearson 1.000",
    ]


def test_the_committed_means_are_shares():
    means = pd.read_csv(data.path("hedges_apart.csv"))["mean"]
    assert means.between(0, 1).all()
    assert means.std() > 0.1
