"""Tables that are views of the metrics, each one a specification (`ralc.report.tables.view.Spec`)."""

import pandas as pd

from ralc.conditions import ASKED as PHRASES
from ralc.conditions import DEFAULT, MEAN, PEOPLE
from ralc.registry import ABSTAINING, ASKED, CONTROLLED, HEADLINES, METHODS, metrics_by
from ralc.reliance import SITUATIONS
from ralc.report.tables.replication import cross_domain_rows
from ralc.report.tables.view import WHOLE, Spec
from ralc.results import holm_families
from ralc.results.filters import (
    differences,
    evaluators_of,
    in_domain,
    main_evaluator,
    main_protocol,
    main_signal,
    main_target,
    one_evaluator,
    plain,
)

TESTED = ("value", "ci_low", "ci_high", "p_value", "sd")


def _verdict(metrics: pd.DataFrame, averages: pd.DataFrame) -> pd.DataFrame:
    return pd.concat([holm_families.endpoints(averages, evaluator) for evaluator in evaluators_of(metrics)])


def _headline(metrics: pd.DataFrame) -> pd.DataFrame:
    """Both spaces; halves and abstentions of all methods, subjects of the original and of RALC's words alone."""
    rows = in_domain(plain(metrics, apart=True))
    signal, subjects = main_signal(metrics), ~metrics["subset"].isin([*WHOLE, *CONTROLLED])
    of_subjects = metrics[subjects].assign(subset="all") if subjects.any() else metrics[subjects]
    if len(of_subjects):
        words = of_subjects[of_subjects["signal"].isin([signal, "none"]) & (of_subjects["versus"] == "none")]
        words = in_domain(one_evaluator(words[words["space"] == "linguistic"], main_evaluator(metrics)))
        words = words[words["method"].isin(["original", "ralc"]) & (words["variant"] == DEFAULT)]
        rows = pd.concat([rows, words.assign(subset=metrics["subset"].reindex(words.index))])
    changes = [differences(metrics, space=space, apart=True) for space in ("linguistic", "signal")]
    parts = in_domain(pd.concat(changes))
    parts = parts[parts["metric"].isin(metrics_by("parts")) & (parts["variant"] == DEFAULT)]
    return pd.concat([rows, parts[parts["subset"].isin(WHOLE)]])


def _evaluators(metrics: pd.DataFrame) -> pd.DataFrame:
    """Every evaluator, and people's own numbers of the phrases that they were asked about."""
    main = (metrics["protocol"] == main_protocol(metrics)) & (metrics["versus"] == "none")
    rows = in_domain(metrics[main & (metrics["subset"] == "all") & (metrics["evaluator"] != "none")])
    people = (rows["evaluator"] == PEOPLE) & (rows["variant"] == PHRASES) & (rows["method"] == "ralc")
    followed = (rows["signal"] == "none") | rows["method"].map(lambda name: METHODS[name].guided)
    return rows[people | (followed & (rows["variant"] == DEFAULT) & (rows["evaluator"] != PEOPLE))]


def _comparisons(metrics: pd.DataFrame) -> pd.DataFrame:
    """RALC minus every other method and the signal behind it, and variants minus the default."""
    changes = [differences(metrics, space=space, apart=True) for space in ("linguistic", "signal")]
    rows = in_domain(pd.concat(changes))
    rows = rows[(rows["method"] == "ralc") & rows["subset"].isin(WHOLE)]
    of_words = rows["versus"].isin([*METHODS, "signal"]) & (rows["space"] == "linguistic")
    return rows[(of_words & (rows["variant"] == DEFAULT)) | (rows["versus"] == "default")]


def _detailed(metrics: pd.DataFrame) -> pd.DataFrame:
    """The original answer and Hedged QA follow no signal: they stand beside each."""
    rows = in_domain(plain(metrics, space="linguistic", apart=True))
    guided = rows[rows["method"] == "ralc"]
    beside = rows[rows["method"].isin(["original", "hedged_qa"])].drop(columns="signal")
    places = guided[["dataset", "subset", "target", "signal"]].drop_duplicates()
    return pd.concat([guided, beside.merge(places, on=["dataset", "subset", "target"])])


def _reliance(metrics: pd.DataFrame) -> pd.DataFrame:
    """Every situation; words by the headline evaluator, and the calibrated number shown as it is."""
    main = metrics["metric"].isin(metrics_by("reliance")) & (metrics["protocol"] == main_protocol(metrics))
    main &= metrics["subset"].isin(["all", *ABSTAINING]) & metrics["variant"].isin(list(SITUATIONS))
    rows = in_domain(one_evaluator(metrics[main], main_evaluator(metrics)))
    rows = rows[(rows["space"] == "linguistic") | (rows["method"] == "ralc")]
    changed = ["accepted_wrong", "accepted_right", "decision_accuracy", "belief_brier_score"]
    rows = rows[
        (rows["versus"] == "none")
        | (rows["versus"].isin(["original", "constant_hedge"]) & rows["metric"].isin(changed))
    ]
    named = {
        "none": "by itself",
        "original": "minus original answer",
        "constant_hedge": "minus constant hedge",
    }
    return rows.assign(versus=rows["versus"].map(named))


def _controlled(metrics: pd.DataFrame) -> pd.DataFrame:
    rows = metrics[metrics["subset"].isin(list(CONTROLLED)) & (metrics["protocol"] == main_protocol(metrics))]
    return rows[(rows["versus"] == "none") & (rows["variant"] == DEFAULT) & (rows["target"] != MEAN)]


def _maps(metrics: pd.DataFrame) -> pd.DataFrame:
    """Signal space by map; “all datasets” is the mean over datasets and models, its `sd` the SD over them."""
    rows = metrics[(metrics["protocol"] == main_protocol(metrics)) & (metrics["versus"] == "none")]
    rows = in_domain(rows[(rows["space"] == "signal") & (rows["subset"] == "all")])
    rows = rows[rows["metric"].isin(HEADLINES)]
    mapped = (rows["variant"] == DEFAULT) | rows["variant"].str.startswith("map=")
    raw = rows[(rows["method"] == "original") & (rows["variant"] == DEFAULT)].assign(map="uncalibrated")
    maps = rows[(rows["method"] == "ralc") & mapped]
    rows = pd.concat([raw, maps.assign(map=maps["variant"].str.removeprefix("map="))])
    key = ["map", "signal", "metric"]
    whole = rows[rows["target"] != MEAN].groupby(key, sort=False)
    whole = whole.agg(value=("value", "mean"), sd=("value", "std"), n=("n", "max")).reset_index()
    shown = rows[rows["target"] == main_target(metrics)]
    return pd.concat([shown.assign(sd=float("nan")), whole.assign(dataset="all datasets")])


def _ablations(metrics: pd.DataFrame) -> pd.DataFrame:
    """Variants of RALC's words, and of the signals by map, number of bins and protocol."""
    rows = metrics[(metrics["versus"] == "none") & (metrics["subset"] == "all")]
    rows = in_domain(one_evaluator(rows, main_evaluator(metrics)))
    kept = rows["method"].eq("ralc") | ((rows["space"] == "signal") & rows["method"].eq("original"))
    changed = (rows["variant"] != DEFAULT) | (rows["protocol"] != main_protocol(metrics))
    rows = rows[kept & ~rows["variant"].isin(list(SITUATIONS)[1:])]
    beside = rows[changed.loc[rows.index]][["dataset", "space"]].drop_duplicates()
    return rows.merge(beside, on=["dataset", "space"])


_READ = "Words as the {evaluator} reads them, on held-out questions."
_SHARES = "Answered: something is named. Abstained: the answer says that it does not know."
_MARKS = "✓ better, ✗ worse: the 95 % interval excludes 0 and the corrected p-value is at most 0.05."
SPECS: dict[str, Spec] = {
    "verdict": Spec(
        _verdict,
        ("evaluator", "target", "signal", "versus"),
        ("brier_score", "auroc"),
        parts=TESTED,
        notes=(
            "RALC minus the other words: the mean of the datasets' differences, questions resampled within each.",
            "The verdict is the {evaluator}'s; the other evaluators show how far it depends on who reads.",
            "p-values are Holm-corrected over the four tests of an evaluator.",
            _MARKS,
        ),
        difference=True,
    ),
    "headline": Spec(
        _headline,
        ("target", "dataset", "subset", "space", "method", "signal"),
        (
            *("faithfulness_divergence", *metrics_by("parts"), "generalised_ece", "generalised_ece_debiased"),
            *("generalised_ece_null", "generalised_ece_excess", "expected_calibration_error"),
            *("expected_calibration_error_debiased", "brier_score", "auroc", "accuracy"),
            *("spearman_mean", "content_preservation"),
        ),
        notes=(
            _READ,
            "“null” is gECE under perfect calibration, “excess” what lies above it.",
            "“debiased” is the number less what chance adds with so few answers.",
            "FD falls when concentration does: its two parts say what the mean did, and what the concentration did.",
            "Neither FD nor gECE sees discrimination: read them beside AUROC, Brier score and the constant hedge.",
            _SHARES,
        ),
        best_within=("target", "dataset", "subset", "space"),
    ),
    "evaluators": Spec(
        _evaluators,
        ("target", "dataset", "method", "signal"),
        (*ASKED, "spearman_mean"),
        columns="evaluator",
        notes=(
            "The first evaluator chose the words that it reads here. The headline is the {evaluator}'s.",
            "People's own numbers are of RALC's words from the phrases that they were asked about.",
            "{abstained}",
        ),
        best_within=("target", "dataset"),
    ),
    "comparisons": Spec(
        _comparisons,
        ("target", "dataset", "subset", "space", "signal", "variant", "versus"),
        (*ASKED, "mean_confidence"),
        parts=TESTED,
        notes=(_READ, _MARKS, "{tests}", _SHARES + " Apart they have intervals, and no test."),
        difference=True,
    ),
    "detailed": Spec(
        _detailed,
        ("dataset", "subset", "target", "signal"),
        (*HEADLINES[::-1], "auroc", "accuracy", "mean_confidence"),
        columns="method",
        notes=(_READ, "Hedged QA is an answer of its own, with its own grade.", _SHARES),
    ),
    "reliance": Spec(
        _reliance,
        ("target", "dataset", "subset", "variant", "method", "signal", "space"),
        tuple(metrics_by("reliance")),
        columns="versus",
        notes=(
            _READ,
            "Assumed: a word acts as the number that people give it.",
            "Belief before is that of 118 people, belief after follows 401 people who were shown numbers.",
            "An answer is accepted where belief reaches the threshold, one half by default.",
            _SHARES,
        ),
    ),
    "cross_domain": Spec(
        cross_domain_rows,
        ("measure", "signal", "train"),
        ("reduction_percent", "reduction", "beyond_in_domain"),
        columns="dataset",
        parts=("value", "sd", "sd_of_mean", "ci_low", "ci_high", "p_value"),
        notes=(
            "Rows: the dataset the map was fitted on. Column groups: the dataset it was tested on. Shaded: in-domain.",
            "Percentages are ratios of means over models; their SD is that of the models' own percentages.",
            "Absolute reductions have 95 % intervals and corrected p-values. SD/√n is what the paper prints after ±.",
            "“Minus in-domain map”: the error with this map minus the error with the test dataset's own map.",
            "{tests}",
            "{abstained}",
        ),
        difference=True,
        shade=("train", "dataset"),
    ),
    "controlled_subsets": Spec(
        _controlled,
        ("target", "dataset", "signal", "subset"),
        (
            *("accuracy", "mean_confidence", "concentration", "faithfulness_divergence", "kl_divergence"),
            *("expected_brier_score", "expected_log_loss"),
        ),
        notes=(
            "Raw signals: answers with mean and concentration in the highest or lowest part (metrics.tail).",
            "Only FD should call the firm wrong answers the most surprising; KL calls loose ones so.",
            "A cell of fewer than 200 answers is an illustration.",
            "{abstained}",
        ),
    ),
    "map_ablation": Spec(
        _maps,
        ("dataset", "map"),
        tuple(HEADLINES[::-1]),
        columns="signal",
        notes=(
            "Maps fitted on training questions of the same dataset, applied to the means, concentrations kept.",
            "“all datasets” is the mean over datasets and models, with their SD.",
            "Both errors fall when a map gives every answer the same confidence: see AUROC and the constant hedge.",
            "{abstained}",
        ),
        best_within=("dataset",),
    ),
    "ablations": Spec(
        _ablations,
        ("target", "dataset", "space", "protocol", "signal", "method", "variant"),
        (
            *HEADLINES,
            "generalised_ece_excess",
            "brier_score",
            "auroc",
            "spearman_mean",
            "content_preservation",
        ),
        notes=(
            _READ,
            "hedges: how many the rewriter gets. lexicon: which expressions it has. loop=open: chosen unread.",
            "map and bins: in signal space. Protocols stand side by side there, on the same answers.",
            "The differences from the default stand among the comparisons.",
            "{abstained}",
        ),
        best_within=("target", "dataset", "space", "signal"),
    ),
}
