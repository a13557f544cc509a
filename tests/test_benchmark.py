"""The human benchmark: ceilings, hand-made evaluators, and the real studies."""

import numpy as np
import pytest

from ralc import Beta, readers
from ralc.benchmark import COLUMNS, benchmark_pairs, human_benchmark, reliability


def test_reliability_of_parallel_persons(rng):
    truth = rng.normal(0, 1, (5_000, 1))
    scores = truth + rng.normal(0, 1, (5_000, 4))
    assert reliability(scores) == pytest.approx(4 / 5, abs=0.02)  # Spearman-Brown: 4 r / (1 + 3 r), r = 1/2
    assert abs(reliability(rng.normal(0, 1, (5_000, 4)))) < 0.1
    with pytest.raises(ValueError, match="two items"):
        reliability(np.ones((1, 5)))


def test_bad_calls_are_refused(tmp_path, rng):
    with pytest.raises(ValueError, match="no evaluators"):
        human_benchmark({}, tmp_path, rng=rng)
    with pytest.raises(ValueError, match="resamples"):
        human_benchmark({"cues": readers.load("cues").read}, tmp_path, resamples=1, rng=rng)


@pytest.mark.shared
def test_the_real_studies(shared_data, rng):
    evaluators = {name: readers.load(name).read for name in readers.READERS}
    table = human_benchmark(evaluators, shared_data, resamples=20, rng=rng)
    assert list(table.columns) == COLUMNS
    value = table.set_index(["dataset", "reader", "metric"])["value"]
    # Published: GPT-5 .761 / .865; the level band alone .869 / .986 (its middle, here).
    assert value["tao_benchmark", "gpt-5", "spearman_mean"] == pytest.approx(0.761, abs=0.001)
    assert value["tao_benchmark", "gpt-5", "pearson"] == pytest.approx(0.865, abs=0.001)
    assert value["tao_benchmark", "level", "spearman_mean"] == pytest.approx(0.869, abs=0.001)
    assert value["tao_benchmark", "level", "pearson"] == pytest.approx(0.986, abs=0.001)
    assert 0.5 < value["tao_raw", "humans", "noise_ceiling"] < 0.7
    assert value["tao_raw", "cues", "pearson"] < value["tao_raw", "humans", "noise_ceiling"]
    assert value["tao_raw", "humans", "one_person"] < 0.25
    assert value["capphrase", "cues", "spread_error"] < 0.03
    interval = table.dropna(subset="ci_low")
    assert (interval["ci_low"] <= interval["ci_high"]).all()


@pytest.mark.shared
def test_an_evaluator_with_too_few_readings_is_named(shared_data, rng):
    with pytest.raises(ValueError, match="'lazy'"):
        human_benchmark({"lazy": lambda texts: Beta([1.0], [1.0])}, shared_data, resamples=2, rng=rng)


@pytest.mark.shared
def test_pairs_for_the_scatter(shared_data):
    pairs = benchmark_pairs({"cues": readers.load("cues").read}, shared_data)
    assert pairs.groupby("dataset").size()["tao_benchmark"] == 1622
    assert pairs["read"].between(0, 1).all()
