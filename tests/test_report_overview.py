"""The overview: its verdict, its caveats, and both comparisons."""

import numpy as np
import pandas as pd
import pytest

from ralc import Beta
from ralc.calibration import PlattScaling
from ralc.report import tables
from ralc.report.tables.verdicts import compared, conclusion, side
from ralc.results import labels
from tests.conftest import ROOT
from tests.synthetic import results


def changed(dataset, versus, metric, low, high, p_value):
    """A paired difference as the overview sees it."""
    middle = (low + high) / 2
    return {
        "dataset": dataset,
        "versus": versus,
        "metric": metric,
        "value": middle,
        "ci_low": low,
        "ci_high": high,
        "p_value": p_value,
    }


@pytest.mark.parametrize(
    ("against_original", "against_constant", "said"),
    [
        (
            (-0.2, -0.1, 0.01),
            (0.1, 0.2, 0.01),
            "better than the original words and than a constant hedge on mine.",
        ),
        (
            (-0.2, -0.1, 0.01),
            (0.1, 0.2, 0.06),
            "better than the original words, but not shown to be better than a",
        ),
        (
            (-0.2, -0.1, 0.01),
            (-0.2, -0.1, 0.01),
            "worse than the original words or than a constant hedge on mine.",
        ),
        ((-0.2, 0.1, 0.5), (0.1, 0.2, 0.01), "not shown to be better than the original words on mine."),
        (
            (-0.2, -0.1, 0.01),
            None,
            "better than the original words on mine (no constant hedge stands beside them).",
        ),
        ((np.nan,) * 3, (np.nan,) * 3, "seen on too few answers to be judged on mine."),
    ],
)
def test_the_verdict_is_one_sentence_about_both_comparisons(against_original, against_constant, said):
    rows = [changed("mine", "original", "faithfulness_divergence", *against_original)]
    rows += [changed("mine", "constant_hedge", "auroc", *against_constant)] if against_constant else []
    assert f"RALC's words are {said}" in conclusion(pd.DataFrame(rows))


def test_the_verdict_names_each_dataset_once():
    ends = {"a": (-0.2, -0.1, 0.01), "b": (-0.1, 0.1, 1.0), "c": (-0.2, -0.1, 0.01)}
    rows = [changed(name, "original", "generalised_ece", *found) for name, found in ends.items()]
    rows += [changed(name, "constant_hedge", "brier_score", -0.2, -0.1, 0.01) for name in ends]
    assert conclusion(pd.DataFrame(rows)) == (
        "RALC's words are better than the original words and than a constant hedge on a and c; not shown to be better "
        "than the original words on b."
    )


def test_four_answers_have_no_interval_no_tick_and_no_verdict():
    """Of four answers whose bootstrap knows no doubt the overview once said "AUROC +0.500 [0.500, 0.500] ✓"."""
    metrics = results(n=4)[2]
    assert metrics[["ci_low", "ci_high", "p_value"]].isna().all(axis=None)
    page = tables.overview(metrics).partition("<ul class=")[0]
    assert "RALC&#39;s words are seen on too few answers to be judged on worldfacts-qa, worldfacts-mc" in page
    assert "too few to say" in page
    assert "✓" not in page
    assert "✗" not in page
    assert "[" not in page.partition("<tbody>")[2]


def test_the_overview_shows_both_comparisons_corrected_over_its_table(metrics):
    signal = "semantic_uncertainty"
    changes = compared(metrics, signal)
    assert len(changes) == 3 * 2 * 4
    raw = metrics.loc[changes.index, "p_value"]
    assert (changes["p_value"] >= raw).all()
    page = tables.overview(metrics, counts=tables.counts(results()[1], metrics))
    for change in changes.itertuples():
        assert (
            f"[{labels.number(change.ci_low, change.metric)}, {labels.number(change.ci_high, change.metric)}]"
            in page
        )
    assert page.count("✓") - 1 == sum(side(change) == "better" for _, change in changes.iterrows())
    assert "A constant hedge does well on both" in page
    assert "Few held-out questions" in page
    assert "Rewrites that lost content: " in page
    assert "Unread by judge: up to 4.2 %" in page


def test_the_overview_draws_the_pipeline_as_the_docs_do(metrics):
    assert (ROOT / "docs/images/pipeline.svg").read_text(encoding="utf-8").strip() in tables.overview(metrics)


def test_flags_of_maps_are_caveats(metrics):
    outcome = np.array([0, 1, 0, 1, 0, 1])
    fitted = PlattScaling().fit(Beta([5.0, 4, 4, 3, 2, 1], [1.0, 2, 2, 3, 4, 5]), outcome).to_dict()
    fit = {
        "dataset": "worldfacts-qa",
        "signal": "semantic_uncertainty",
        "protocol": "ralc",
        "variant": "default",
    } | fitted
    page = tables.overview(metrics, maps={"smollm2": [fit, fit | {"variant": "map=isotonic"}]})
    said = "worldfacts-qa, semantic uncertainty: fewer than 50 train answers, the more confident, the less often right."
    assert f"Calibration maps of smollm2 with flags: {said}" in page


def test_overview_holds_without_comparisons_or_constant_hedge(metrics, several):
    alone = metrics[(metrics["versus"] == "none") & (metrics["method"] != "constant_hedge")]
    assert "No paired comparisons in this run." in tables.overview(alone)
    assert "Then the same reader" in tables.overview(metrics[metrics["reader"] != "judge"])
    assert "(24 held-out questions)" in tables.overview(several[1])
    with pytest.raises(ValueError, match="method 'ralc'"):
        tables.overview(metrics[metrics["method"] == "original"])


def test_what_the_headline_reader_shares_is_said_of_the_two_that_share_it(metrics):
    said = "Then a reader that had no part in this"
    assert f"{said}, estimated from other studies but with the same grammar of cues, read" in tables.overview(
        metrics
    )
    asked = metrics.replace({"reader": {"judge": "ensemble"}})
    assert f"{said} read the answers" in tables.overview(asked)


def test_a_gece_below_its_floor_is_said_to_be_so(metrics):
    own = metrics["metric"] == "generalised_ece_null"
    page = tables.overview(metrics.assign(value=metrics["value"].mask(own, 0.9)))
    assert "floor 0.900 (below it by chance: few answers)" in page
    assert "of which" not in page
