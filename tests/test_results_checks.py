"""Results that cannot all be true fail the run: the paper's own contradictions among them."""

import numpy as np
import pandas as pd
import pytest

from ralc.results import checks
from tests.synthetic import results

CONDITION = {
    "protocol": "paper",
    "target": "mean",
    "dataset": "mmlu",
    "train": "mmlu",
    "signal": "semantic_uncertainty",
    "method": "ralc",
    "space": "linguistic",
    "reader": "ensemble",
    "variant": "default",
    "subset": "all",
    "versus": "none",
    "metric": "faithfulness_divergence",
    "value": 0.5,
    "n": 9829,
}


def rows(*changes: dict) -> pd.DataFrame:
    """A metrics table of some rows."""
    return pd.DataFrame([CONDITION | change for change in changes])


def test_the_results_of_a_run_pass():
    done = checks.check_results(results()[2])
    assert done["faults"].sum() == 0
    assert len(done) == len(checks.CHECKS)


@pytest.mark.parametrize(
    ("rows_of", "change", "check", "fault"),
    [
        ("versus == 'constant_hedge'", {"value": 0.9}, checks.differences_add_up, "0.9 is not 0."),
        (
            "metric == 'generalised_ece_excess'",
            {"value": 0.9},
            checks.excesses_add_up,
            "excess 0.9 is not gECE",
        ),
        ("versus == 'none'", {"value": np.nan}, checks.values_are_defined, "22 answers have no value"),
        ("subset == 'unanswerable'", {"n": 1}, checks.counts_add_up, "the halves have"),
        ("subset == 'all'", {"n": 1}, checks.counts_add_up, "the same answers have 1, 22 of them"),
    ],
)
def test_one_wrong_number_is_found(rows_of, change, check, fault):
    table = results()[2].copy()
    metric = "" if "metric" in rows_of else " and metric == 'faithfulness_divergence'"
    table.loc[table.query(rows_of + metric).index[0], list(change)] = list(change.values())
    assert any(fault in one for one in check(table))


@pytest.mark.parametrize(
    ("lost", "check"),
    [
        ("method == 'constant_hedge' and reader == 'judge'", checks.conditions_are_complete),
        ("method == 'ralc' and space == 'signal' and train != dataset", checks.conditions_are_complete),
        ("method == 'hedged_qa'", checks.differences_add_up),
    ],
)
def test_a_condition_that_is_missing_is_found(lost, check):
    table = results()[2]
    first = table.query(
        f"dataset == 'worldfacts-rc' and target == 'smollm2' and versus == 'none' and ({lost})"
    )
    faults = check(table.drop(first.index))
    assert any("worldfacts-rc" in fault for fault in faults)


def test_two_tables_of_the_paper_that_disagree():
    # Table 2 has a fall of 21.6 %, the detailed table one of 44.3 %, of the same 0.7.
    faults = checks.single_values(rows({"value": 0.7 * (1 - 0.216)}, {"value": 0.7 * (1 - 0.443)}))
    assert len(faults) == 1
    assert "2 rows for one quantity (0.5488, 0.3899)" in faults[0]


def test_a_value_before_that_depends_on_the_train_set():
    # MMLU's FD before calibration has three values in the paper, one a train set.
    before = {"mmlu": 0.61, "squad2": 0.64, "truthfulqa": 0.66}
    table = rows(
        *({"train": train} for train in before),
        *({"train": train, "versus": "original", "value": 0.5 - value} for train, value in before.items()),
    )
    faults = checks.baselines_stand_still(table)
    assert len(faults) == 1
    assert "the value before is 0.61, 0.64, 0.66" in faults[0]
    same = table.assign(value=table["value"].where(table["versus"] == "none", -0.11))
    assert checks.baselines_stand_still(same) == []


def test_a_baseline_has_no_train_set():
    assert "no train questions" in checks.baselines_stand_still(rows({"method": "hedged_qa"}))[0]


def test_halves_that_are_not_the_whole():
    rate = {"metric": "unscored_rate", "target": "m", "value": 0.0}
    table = rows(
        rate | {"n": 10}, rate | {"subset": "answerable", "n": 4}, rate | {"subset": "unanswerable", "n": 5}
    )
    assert "the halves have 9 answers, the whole 10" in checks.counts_add_up(table)[0]
    more = rows(rate | {"n": 10}, {"target": "m", "n": 11})
    assert "11 answers of 10" in checks.counts_add_up(more)[0]


def test_losses_that_are_not_stated():
    faults = checks.losses_are_stated(results()[2].query("metric != 'fallback_rate'"))
    assert faults
    assert all("fallback_rate is not stated" in fault for fault in faults)


def test_answers_that_vanish():
    lost = {"target": "m", "n": 10, "value": 0.0, "method": "hedged_qa", "train": "none", "signal": "none"}
    stated = [
        lost | {"metric": f"{name}_rate"} for name in ("unanswered", "not_attempted", "unparsed", "unscored")
    ]
    assert checks.losses_are_stated(rows(*stated, lost | {"metric": "accuracy"})) == []
    assert "only 10" in checks.losses_are_stated(rows(*stated, lost | {"metric": "accuracy", "n": 7}))[0]


def test_values_outside_their_range():
    assert "1.2 is outside" in checks.values_in_range(rows({"metric": "auroc", "value": 1.2}))[0]
    assert checks.values_in_range(rows({"metric": "auroc", "value": -0.2, "versus": "original"})) == []


def test_a_run_that_contradicts_itself_fails_with_its_first_faults():
    with pytest.raises(
        ValueError, match=r"contradict themselves:\nOne quantity, one value: 1 faults\n  - paper/mean/mmlu"
    ):
        checks.check_results(rows({}, {"value": 0.6}))
