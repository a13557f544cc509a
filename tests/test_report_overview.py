"""The overview: its verdict, its caveats, and both comparisons."""

import numpy as np
import pandas as pd
import pytest

from ralc import Beta
from ralc.calibration import PlattScaling
from ralc.names import ASKED, OPPONENTS
from ralc.report import tables
from ralc.report.tables.verdicts import agreed, compared, conclusion, idle_signals, side
from ralc.results import labels
from tests.conftest import ROOT
from tests.synthetic import results


def said(**sides):
    """What readers agreed on of dataset a, by opponent and metric, as ``original_auroc="better"``."""
    known = [(versus, metric) for versus in OPPONENTS for metric in ASKED]
    rows = [
        (versus, "a", metric, sides[f"{versus}_{metric}"])
        for versus, metric in known
        if f"{versus}_{metric}" in sides
    ]
    return pd.DataFrame(rows, columns=["versus", "dataset", "metric", "side"])


def test_the_verdict_asks_the_same_of_every_opponent_and_says_what_is_not_shown():
    sides = {f"{versus}_{metric}": "unclear" for versus in OPPONENTS for metric in ASKED}
    sides |= {"original_generalised_ece": "better", "base_rate_brier_score": "worse"}
    first, *others = conclusion(said(**sides))
    assert first == (
        "RALC's words against the original answer: better in gECE on a; not shown to be better or worse in FD, AUROC "
        "of means and Brier of means on a."
    )
    assert len(others) == len(OPPONENTS) - 1
    assert others[-1].startswith(
        "RALC's words against the base rate as a number: worse in Brier of means on a; not "
    )


def test_the_verdict_groups_datasets_that_are_alike():
    both = pd.concat(
        [said(original_auroc="better", original_brier_score=side) for side in ("better", "unclear")]
    )
    both["dataset"] = ["a", "a", "b", "b"]
    (found,) = conclusion(both)
    assert (
        "better in AUROC of means on a and b, Brier of means on a; not shown to be better or worse in Br"
        in found
    )


def test_signals_that_beat_the_constant_hedge_nowhere_are_named(metrics):
    rows = (metrics["versus"] == "constant_hedge") & (metrics["signal"] != "semantic_uncertainty")
    sides = ["value", "ci_low", "ci_high", "p_value"]
    idle = metrics.copy()
    idle.loc[rows, sides] = [0.0, -0.1, 0.1, 0.9]
    assert idle_signals(idle, "semantic_uncertainty") == [
        "Guided by linguistic confidence and token probability, the words are shown to be better than the constant "
        "hedge nowhere: on no dataset, in none of FD, gECE, AUROC of means and Brier of means."
    ]
    idle.loc[rows & (metrics["signal"] == "token_probability"), sides] = [-0.2, -0.3, -0.1, 1e-9]
    (said,) = idle_signals(idle, "semantic_uncertainty")
    assert said.startswith("Guided by linguistic confidence, ")


def test_a_claim_is_made_where_all_readers_outside_the_loop_agree(metrics):
    changed = metrics.copy()
    sides = ["reader", "value", "ci_low", "ci_high", "p_value"]
    rows = (changed["versus"] == "original") & (changed["metric"] == "auroc") & (changed["reader"] == "judge")
    rows &= (changed["method"] == "ralc") & (changed["subset"] == "all") & (changed["variant"] == "default")
    changed.loc[rows, sides[1:]] = [0.2, 0.1, 0.3, 0.0001]
    second = changed[changed["reader"] == "judge"].assign(reader="probe")
    agree = pd.concat([changed, second], ignore_index=True)
    differ = second.copy()
    differ.loc[rows, sides[1:]] = [-0.2, -0.3, -0.1, 0.0001]

    def side_of(table):
        found = agreed(table, "semantic_uncertainty").set_index(["versus", "dataset", "metric"])["side"]
        return found["original", "worldfacts-qa", "auroc"]

    assert side_of(agree) == "better"
    assert side_of(pd.concat([changed, differ], ignore_index=True)) == "unclear"


def test_a_lexicon_that_no_reader_apart_chose_has_a_verdict_of_its_own(metrics):
    assert "unscreened" not in tables.overview(metrics)
    rows = (metrics["method"] == "ralc") & (metrics["train"] == metrics["dataset"])
    rows &= (metrics["space"] == "linguistic") & (metrics["subset"] == "all")
    own = metrics[rows & (metrics["variant"] == "default")].assign(variant="lexicon=unscreened")
    tested = (own["versus"] == "original") & (own["metric"] == "auroc")
    own.loc[tested, ["value", "ci_low", "ci_high", "p_value"]] = [-0.2, -0.3, -0.1, 1e-9]
    both = pd.concat([metrics, own], ignore_index=True)
    page = tables.overview(both).replace("&#39;", "'")
    said = "RALC's words from an unscreened lexicon against the original answer: "
    assert "worse in AUROC of means on worldfacts-qa" in page.partition(said)[2].partition("</li>")[0]
    ours = compared(metrics, "semantic_uncertainty")
    pd.testing.assert_frame_equal(compared(both, "semantic_uncertainty"), ours)  # a family of its own
    theirs = compared(both, "semantic_uncertainty", variant="lexicon=unscreened")
    assert set(theirs["family"]) == {"unscreened"}
    assert theirs["tests"].tolist() == ours["tests"].tolist()


def test_four_answers_have_no_interval_no_tick_and_no_verdict():
    """Of four answers whose bootstrap knows no doubt the overview once said "AUROC +0.500 [0.500, 0.500] ✓"."""
    metrics = results(n=4)[2]
    assert metrics[["ci_low", "ci_high", "p_value"]].isna().all(axis=None)
    page = tables.overview(metrics).partition('<ul class="notes"')[0]
    assert (
        "against the original answer: too few answers to say in FD, gECE, AUROC of means and Brier of means"
        in page
    )
    assert "too few to say" in page
    assert "✓" not in page
    assert "✗" not in page
    assert "[" not in page.partition("<tbody>")[2]


def test_the_overview_shows_both_comparisons_corrected_in_its_family(metrics):
    signal = "semantic_uncertainty"
    changes = compared(metrics, signal)
    assert len(changes) == 3 * 4 * 4
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
        "unanswered": 0,
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
    assert "; none is independent of the loop, so a claim is of such readers alone." in tables.overview(
        metrics
    )
    asked = metrics.replace({"reader": {"judge": "ensemble"}})
    assert f"{said} read the answers" in tables.overview(asked)


def test_a_gece_below_its_floor_is_said_to_be_so(metrics):
    own = metrics["metric"] == "generalised_ece_null"
    page = tables.overview(metrics.assign(value=metrics["value"].mask(own, 0.9)))
    assert "floor 0.900 (below it by chance: few answers)" in page
    assert "of which" not in page


def test_the_answer_that_is_shown_is_the_one_whose_reading_changed_most():
    asked, items, _ = results()
    found = tables.most_changed(items, asked)
    read = items[
        (items["space"] == "linguistic") & (items["reader"] == "judge") & (items["variant"] == "default")
    ]
    mean = read.assign(mean=read["alpha"] / (read["alpha"] + read["beta"]))
    before = mean[mean["method"] == "original"].set_index("question_id")["mean"]
    ours = (
        (mean["method"] == "ralc")
        & (mean["signal"] == "semantic_uncertainty")
        & (mean["train"] == mean["dataset"])
    )
    after = mean[ours].set_index("question_id")["mean"]
    most = (before - after).abs().idxmax()
    assert found["question"] == asked.set_index("question_id").loc[most, "question"]
    assert found["read_before"] == f"{100 * before[most]:.0f} %"
    assert found["read_after"] == f"{100 * after[most]:.0f} %"
    untouched = items.assign(text="It is Paris.")
    assert tables.most_changed(untouched, asked) is None
