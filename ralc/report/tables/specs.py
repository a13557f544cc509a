"""The tables of the report, each a specification: which rows, what names them, which numbers, which notes."""

from collections.abc import Callable
from dataclasses import dataclass

import pandas as pd

from ralc.registry import ASKED, EVALUATOR_METRICS, HEADLINES, metrics_by, require_functions
from ralc.report.contents import TABLES
from ralc.report.tables import rows
from ralc.report.tables.replication import cross_domain_rows, replication

Names = tuple[str, ...]
TESTED = ("value", "ci_low", "ci_high", "p_value", "sd")


@dataclass(frozen=True)
class Spec:
    """A table of the report.

    `rows` takes the results tables of the report's contents, and returns the rows shown, a number each. The columns of
    `index` name a row of the table, `quantities` are metrics in their order, and the values of `columns` head groups of
    them. In `notes`, ``{evaluator}``, ``{abstained}``, ``{tests}`` and the `attrs` of the rows are filled in. The best
    value is bold in each group of `best_within`. A `difference` is marked where it is shown to be better or worse.
    Cells are shaded where an index column and a column level, `shade`, are equal.
    """

    rows: Callable[..., pd.DataFrame]
    index: Names
    quantities: Names
    columns: str = ""
    parts: Names = ("value", "ci_low", "ci_high", "sd")
    notes: Names = ()
    best_within: Names = ()
    difference: bool = False
    shade: Names = ()


_READ = "Words as the {evaluator} reads them, on held-out questions."
_SHARES = "Answered: something is named. Abstained: the answer says that it does not know."
_MARKS = "✓ better, ✗ worse: the 95 % interval excludes 0 and the corrected p-value is at most 0.05."
SPECS: dict[str, Spec] = {
    "verdict": Spec(
        rows.verdict,
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
        rows.headline,
        ("target", "dataset", "subset", "space", "method", "signal"),
        (
            "faithfulness_divergence",
            *metrics_by("parts"),
            "generalised_ece",
            "generalised_ece_debiased",
            "generalised_ece_null",
            "generalised_ece_excess",
            "expected_calibration_error",
            "expected_calibration_error_debiased",
            "brier_score",
            "auroc",
            "accuracy",
            "spearman_mean",
            "content_preservation",
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
        rows.evaluators,
        ("target", "dataset", "method", "signal"),
        (*ASKED, "spearman_mean"),
        columns="evaluator",
        notes=(
            "The first evaluator chose the words that it reads here. The headline is the {evaluator}'s.",
            "People's own numbers are of RALC's words from the phrases that they were asked about.",
        ),
        best_within=("target", "dataset"),
    ),
    "comparisons": Spec(
        rows.comparisons,
        ("target", "dataset", "subset", "space", "signal", "variant", "versus"),
        (*ASKED, "mean_confidence"),
        parts=TESTED,
        notes=(_READ, _MARKS, "{tests}", _SHARES + " Apart they have intervals, and no test."),
        difference=True,
    ),
    "detailed": Spec(
        rows.detailed,
        ("dataset", "subset", "target", "signal"),
        (*HEADLINES[::-1], "auroc", "accuracy", "mean_confidence"),
        columns="method",
        notes=(_READ, "Hedged QA is an answer of its own, with its own grade.", _SHARES),
    ),
    "reliance": Spec(
        rows.reliance,
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
        ),
        difference=True,
        shade=("train", "dataset"),
    ),
    "controlled_subsets": Spec(
        rows.controlled_subsets,
        ("target", "dataset", "signal", "subset"),
        (
            "accuracy",
            "mean_confidence",
            "concentration",
            "faithfulness_divergence",
            "kl_divergence",
            "expected_brier_score",
            "expected_log_loss",
        ),
        notes=(
            "Raw signals: answers with mean and concentration in the highest or lowest part (metrics.tail).",
            "In the paper only FD calls the firm wrong answers the most surprising; KL calls loose ones so.",
            "{surprise}",
            f"With fewer than {rows.FEWEST} answers in a cell, cells are pooled over the datasets of a model.",
            "A cell of fewer than 200 answers is an illustration.",
        ),
    ),
    "map_ablation": Spec(
        rows.map_ablation,
        ("dataset", "map"),
        tuple(HEADLINES[::-1]),
        columns="signal",
        notes=(
            "Maps fitted on training questions of the same dataset, applied to the means, concentrations kept.",
            "“all datasets” is the mean over datasets and models, with their SD.",
            "Both errors fall when a map gives every answer the same confidence: see AUROC and the constant hedge.",
        ),
        best_within=("dataset",),
    ),
    "ablations": Spec(
        rows.ablations,
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
        ),
        best_within=("target", "dataset", "space", "signal"),
    ),
    "sentences": Spec(
        rows.sentences,
        ("target", "dataset", "space", "evaluator", "method", "signal"),
        ("brier_score", "brier_minus_answer", "brier_minus_base_rate"),
        notes=(
            "Held-out answers, a sentence each; its outcome is the share of its facts that are right.",
            "In linguistic space the score is of the words, in signal space of the calibrated number.",
            "Intervals and paired differences resample questions.",
        ),
    ),
    "replication": Spec(
        replication,
        ("item", "measure", "of", "within", "contradiction"),
        ("printed", "this_run", "printed_difference"),
        notes=(
            "{replicated}",
            "An interval covers the run's own questions. The paper's numbers have an error of their own.",
            "A reduction in percent has the interval of the absolute one, divided by the value before.",
            "The last column says what in the paper contradicts the number.",
        ),
    ),
    "signal_profile": Spec(
        rows.signal_profile,
        ("target", "dataset", "subset", "signal"),
        (
            "accuracy",
            "mean_confidence",
            "miscalibration_bias",
            "auroc",
            "sd_of_means",
            "median_width",
            "concentration_p10",
            "concentration_p50",
            "concentration_p90",
            "edge_share",
            "narrow_share",
        ),
        notes=(
            "Mean confidence minus accuracy is the bias; above 0 a signal is more confident than right.",
            "k is the concentration α + β. SD of means: how far answers differ. Median SD within: of one answer.",
            "Piled at an end: the distribution is highest at 0 or 1, as when all samples agree.",
            f"All readings agree: an SD of at most {rows.RESOLUTION_SD:.4f}, the rounding error of the scale.",
        ),
        best_within=("target", "dataset", "subset"),
    ),
    "maps": Spec(
        rows.maps,
        ("target", "dataset", "signal", "map", "flags"),
        ("slope", "intercept", "data_share", "left_out"),
        notes=(
            "Flags: {flags}.",
            "Training answers without a grade or without the signal are left out.",
            "Slope, intercept: of the logit of the mean. Data share: what of the slope is not from its prior.",
        ),
    ),
    "words_lost": Spec(
        rows.words_lost,
        ("evaluator", "variant", "target", "dataset"),
        ("brier_score",),
        columns="door",
        parts=("value", "ci_low", "ci_high"),
        notes=(
            "Brier score of RALC's words less that of the calibrated number that they are to say: above 0 they lose.",
            "Hedge: words inside the text. Note: a sentence beside it. As it came: nothing was changed.",
            "Intervals are 1.96 standard errors: of a few answers they say little.",
        ),
        difference=True,
    ),
    "counts": Spec(
        rows.counts,
        ("target", "dataset", "method", "signal"),
        (*metrics_by("losses"), *metrics_by("preservation")),
        notes=(
            "Never answered: all samples failed. The question is in no map and no number.",
            "Not attempted counts as wrong.",
            "Answers without a parsed grade, and texts without a reading, are left out.",
            "Not as asked: the rewriting model gave nothing usable, so a template or the original stands.",
            "Meaning changed: beside hedging, the text adds, loses or turns round a claim.",
        ),
    ),
    "human_benchmark": Spec(
        rows.human_benchmark,
        ("dataset", "evaluator"),
        tuple(EVALUATOR_METRICS),
        parts=("value", "ci_low", "ci_high", "p_value"),
        notes=(
            "{where}",
            "p-values are of no correlation, Holm-corrected over the {tests} of this table.",
            "Raw scores: five people each, nothing removed. The ceiling is the highest Pearson r with their mean.",
            "Band-filtered scores (1,622 items) were kept only in the band of the level that the writer was asked for.",
            "This set measures the filter as much as reading: the level alone has ρ 0.869 and r 0.986.",
            "Phrases: an evaluator that was fitted on a survey is marked as in sample there.",
            "Spread is the SD between people.",
            "“Fitted anew” rows are of an evaluator fitted on half of the people, or without the phrase.",
            "They are always measured beforehand (python -m studies.refits).",
        ),
    ),
}
require_functions("ralc.report.contents.TABLES", TABLES, SPECS, "specify it in ralc/report/tables/specs.py")
