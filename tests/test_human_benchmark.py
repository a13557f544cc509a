"""The human benchmark: ceilings, hand-made evaluators, the committed rows, and the real studies."""

import numpy as np
import pandas as pd
import pytest

from ralc import evaluators
from ralc.conditions import having
from ralc.human_benchmark import (
    COLUMNS,
    _binned,
    benchmark_texts,
    human_benchmark,
    load_committed,
    reliability,
    with_committed,
    yardsticks,
)
from ralc.human_benchmark.studies import FILES, read_benchmark
from ralc.lexicon.expressions import PHRASE_SENTENCES
from ralc.pipeline.perceived_confidence import Reading, list_texts
from ralc.schemas import check
from studies.packaged import measure
from studies.refits import LEFT_OUT, OTHER_HALF, half_fit, left_out
from studies.writing import SEED


@pytest.fixture(scope="module")
def readings(shared_data):
    """The packaged evaluators on every text of the studies."""
    packaged = {name: {"method": name} for name in ("cue_model", "cue_model_b")}
    return Reading(evaluators=packaged).result(list_texts(benchmark_texts(shared_data)))


def test_reliability_of_parallel_persons(rng):
    truth = rng.normal(0, 1, (5_000, 1))
    scores = truth + rng.normal(0, 1, (5_000, 4))
    # Spearman-Brown: 4 r / (1 + 3 r), r = 1/2
    assert reliability(scores) == pytest.approx(4 / 5, abs=0.02)
    assert abs(reliability(rng.normal(0, 1, (5_000, 4)))) < 0.1


def test_bins_hold_every_reading_once():
    table = _binned(pd.Series([0.1, 0.2, 0.8, 0.9, np.nan]), np.array([0.0, 0.2, 0.6, 1.0, 0.5]), 2)
    assert table["read"].tolist() == pytest.approx([0.15, 0.85])
    assert table["human"].tolist() == pytest.approx([0.1, 0.8])
    assert table["n"].tolist() == [2, 2]
    assert table["human_sd"].tolist() == pytest.approx([np.std([0, 0.2], ddof=1), np.std([0.6, 1], ddof=1)])
    assert _binned(pd.Series([0.5] * 4), np.array([0.0, 0.2, 0.6, 1.0]), 20)["n"].sum() == 4


def test_committed_rows_are_whole_and_beside_the_published_ones():
    table = check(load_committed("human_benchmark").assign(measured="beforehand"), "human_benchmark")
    value = table.set_index(["dataset", "evaluator", "metric"])["value"]
    assert value.index.is_unique
    # Published: GPT-5 0.761 / 0.865; the probe 0.767 / 0.947; the level band alone 0.869 / 0.986.
    probe = "hidden_states_probe_human_anno_trained"
    for evaluator, rho, r in [("gpt-5", 0.761, 0.865), (probe, 0.767, 0.947), ("level", 0.869, 0.986)]:
        assert value["tao_benchmark", evaluator, "spearman_mean"] == pytest.approx(rho, abs=0.001)
        assert value["tao_benchmark", evaluator, "pearson"] == pytest.approx(r, abs=0.001)
    assert {"cue_model", "cue_model_b", "embedding_regression"} <= set(table["evaluator"])
    for metric, least in (("spearman_mean", 0.74), ("pearson", 0.89)):
        assert value["tao_benchmark", "cue_model", metric] >= least
    assert 0.54 <= value["tao_raw", "cue_model", "pearson"] < value["tao_raw", "humans", "noise_ceiling"]
    points = check(load_committed("human_benchmark_points"), "human_benchmark_points")
    assert points.groupby(["dataset", "evaluator"])["n"].sum()["tao_benchmark", "cue_model"] == 1622


@pytest.mark.shared
def test_the_committed_rows_are_those_of_the_packaged_evaluators(readings, shared_data):
    committed = load_committed("human_benchmark")
    committed = committed[
        committed["evaluator"] != "embedding_regression"
    ]  # which would have to ask its model
    measured = measure(readings, shared_data, resamples=2)["human_benchmark"]
    assert list(measured.columns) == COLUMNS
    key = ["dataset", "evaluator", "metric"]
    both = measured.merge(committed, on=key, suffixes=("", "_committed"), how="outer", indicator=True)
    assert (both["_merge"] == "both").all()
    stale = both[(both["value"] - both["value_committed"]).abs() > 2e-5]
    assert stale.empty, f"run python -m studies --data DIR --journal FILE:\n{stale[key]}"


@pytest.mark.shared
def test_unread_items_are_counted_not_guessed(readings, shared_data, rng):
    items = read_benchmark(shared_data)["text"]
    lost = readings["text"].isin(items[:10])
    some = readings.assign(**{name: readings[name].mask(lost) for name in ("alpha", "beta")})
    table = human_benchmark(having(some, evaluator="cue_model"), shared_data, resamples=2, rng=rng)
    row = having(table, dataset="tao_benchmark", evaluator="cue_model")
    assert set(row["n"]) == {1622 - items.isin(items[:10]).sum()}


@pytest.mark.shared
def test_files_of_a_study_that_are_not_there_are_left_out(shared_data, tmp_path):
    with pytest.raises(ValueError, match=r"none of the studies tao_raw, tao_benchmark, .*studies\.download"):
        benchmark_texts(tmp_path)
    (path,) = FILES["tao_benchmark"]
    (tmp_path / path).parent.mkdir()
    (tmp_path / path).symlink_to(shared_data.resolve() / path)
    assert list(yardsticks(tmp_path)) == ["tao_benchmark"]


def test_committed_rows_of_other_scripts_are_whole_and_always_of_beforehand():
    rows = load_committed("human_benchmark")
    for measured in ("this run", "beforehand"):
        table = check(with_committed(rows, measured), "human_benchmark")
        where = table.groupby("dataset")["measured"].unique().map(list)
        assert where["tao_raw"] == [measured]
        for name in (OTHER_HALF, LEFT_OUT, "wadefagen_half_fit", "zonination_half_fit"):
            assert where[name] == ["beforehand"]
    assert not table.duplicated(["dataset", "evaluator", "metric"]).any()


@pytest.mark.shared
@pytest.mark.long
def test_the_committed_refits_are_those_of_the_estimation(shared_data):
    committed = load_committed("refits").set_index(["dataset", "metric"])["value"]
    # Another processor's arithmetic takes the optimiser another way: 0.00003 apart, 0.0001 on one without AVX-512.
    for name, table in half_fit(shared_data, np.random.default_rng(SEED)).items():
        assert np.abs(table["read"] - table["human"]).mean() == pytest.approx(
            committed[name, "mean_error"], abs=2e-4
        )
    alone = left_out(shared_data, ["likely", "almost certain"])
    assert alone["phrase"].tolist() == ["likely", "almost certain"]
    fitted = evaluators.load("cue_model").read([PHRASE_SENTENCES[phrase] for phrase in alone["phrase"]]).mean
    assert (np.abs(alone["read"] - alone["human"]) > np.abs(fitted - alone["human"])).all()
