"""Rows of the results that each table shows, one function a table: a number a row.

`attrs` of the rows have facts of the run that the notes below a table fill in.
"""

from collections.abc import Iterable

import numpy as np
import pandas as pd

from ralc.beta import Beta
from ralc.conditions import DEFAULT, MEAN, NONE, PEOPLE, SURVEYED, changed_to, having
from ralc.registry import ABSTAINING, CONTROLLED, HALVES, HEADLINES, METHODS, methods_by, metrics_by
from ralc.reliance import SITUATIONS
from ralc.results import (
    differences,
    evaluators_of,
    in_domain,
    main_evaluator,
    main_maps,
    main_protocol,
    main_signal,
    main_target,
    means,
    one_evaluator,
    plain,
    right_and_wrong,
)
from ralc.results.holm_families import endpoints
from ralc.results.labels import EVALUATORS, IN_SAMPLE, SCORERS, enumeration, evaluator_on, in_order, label
from ralc.statistics import FEWEST, holm

WHOLE = ("all", *HALVES, *ABSTAINING)
#: Evaluators step in about five points: scores that all agree have the rounding error of that as SD.
RESOLUTION_SD = 0.05 / np.sqrt(12)
#: The door of a text by its origin; every other one has a hedge inside.
_DOOR_OF = {"note": "note", "passed": "unchanged", "left": "unchanged"}
_PROFILE = ["target", "dataset", "subset", "signal"]
#: Ceilings are Pearson correlations, and stand in that column as scorers of their own.
_CEILINGS = ("noise_ceiling", "one_person")
#: What is said of each flag of a map (`ralc.calibration`).
FLAGS = {
    "few_items": "few training answers for a map of its kind, so its numbers are rough",
    "one_class": "all training answers right, or all wrong: what tells them apart is not from here",
    "separation": "a threshold tells right from wrong without error",
    "unidentified_slope": "the data do not tell the slope",
    "negative_slope": "the more confident, the less often right: the signal misleads here",
    "flat": "the same for every answer: it tells none apart",
    "mostly_prior": "rests mostly on what such signals are usually worth, not on these answers",
}


def _main(metrics: pd.DataFrame, **where: str | Iterable[str]) -> pd.DataFrame:
    """Rows of the run's own protocol and maps of the same dataset, where columns have these values."""
    return in_domain(having(metrics, protocol=main_protocol(metrics), **where))


def verdict(metrics: pd.DataFrame, averages: pd.DataFrame) -> pd.DataFrame:
    """Return the primary endpoints by every evaluator."""
    answers = right_and_wrong(metrics)
    return pd.concat([endpoints(averages, evaluator, answers) for evaluator in evaluators_of(metrics)])


def headline(metrics: pd.DataFrame) -> pd.DataFrame:
    """Return both spaces: parts of the datasets of all methods, subjects of the original and of RALC's words alone."""
    subjects = set(metrics["subset"]) - {*WHOLE, *CONTROLLED}
    words = {"space": "linguistic", "method": ["original", "ralc"], "signal": [main_signal(metrics), NONE]}
    words = _main(metrics, subset=subjects, versus=NONE, variant=DEFAULT, **words)
    parts = _changes(metrics)
    parts = having(parts, metric=metrics_by("parts"), variant=DEFAULT)
    whole = in_domain(plain(metrics, parts=True))
    return pd.concat([whole, one_evaluator(words, main_evaluator(metrics)), parts])


def _changes(metrics: pd.DataFrame) -> pd.DataFrame:
    """Paired differences in both spaces, on whole datasets and their parts."""
    changes = [differences(metrics, space=space, parts=True) for space in ("linguistic", "signal")]
    rows = in_domain(pd.concat(changes))
    return having(rows, subset=WHOLE)


def evaluators(metrics: pd.DataFrame) -> pd.DataFrame:
    """Return every evaluator, and people's own numbers of the phrases that they were asked about."""
    rows = _main(metrics, versus=NONE, subset="all")
    people = (rows["evaluator"] == PEOPLE) & (rows["variant"] == SURVEYED) & (rows["method"] == "ralc")
    followed = (rows["signal"] == NONE) | rows["method"].isin(methods_by(guided=True))
    return rows[people | (followed & (rows["variant"] == DEFAULT) & ~rows["evaluator"].isin([PEOPLE, NONE]))]


def comparisons(metrics: pd.DataFrame) -> pd.DataFrame:
    """Return RALC minus every other method and the signal behind it, and variants minus the default."""
    rows = _changes(metrics)
    rows = having(rows, method="ralc")
    of_words = rows["versus"].isin([*METHODS, "signal"]) & (rows["space"] == "linguistic")
    return rows[(of_words & (rows["variant"] == DEFAULT)) | (rows["versus"] == "default")]


def detailed(metrics: pd.DataFrame) -> pd.DataFrame:
    """Return RALC by signal; the original answer and Hedged QA follow no signal, and stand beside each."""
    rows = in_domain(plain(metrics, space="linguistic", parts=True))
    guided = having(rows, method="ralc")
    unguided = having(rows, method=["original", "hedged_qa"]).drop(columns="signal")
    places = guided[["dataset", "subset", "target", "signal"]].drop_duplicates()
    return pd.concat([guided, unguided.merge(places, on=["dataset", "subset", "target"])])


def reliance(metrics: pd.DataFrame) -> pd.DataFrame:
    """Return every situation; words by the headline evaluator, and the calibrated number shown as it is."""
    rows = _main(metrics, metric=metrics_by("reliance"), subset=["all", *ABSTAINING], variant=SITUATIONS)
    rows = one_evaluator(rows, main_evaluator(metrics))
    rows = rows[(rows["space"] == "linguistic") | (rows["method"] == "ralc")]
    changed = ["accepted_wrong", "accepted_right", "decision_accuracy", "belief_brier_score"]
    named = {NONE: "by itself", "original": "minus original answer", "constant_hedge": "minus constant hedge"}
    rows = having(rows[(rows["versus"] == NONE) | rows["metric"].isin(changed)], versus=named)
    return rows.assign(versus=rows["versus"].map(named))


def sentences(metrics: pd.DataFrame) -> pd.DataFrame:
    """Return the Brier score of sentences by their own confidence, their answer's and the base rate."""
    where = {"variant": DEFAULT, "subset": "all", "metric": "brier_score", "method": ["ralc", "base_rate"]}
    rows = _main(metrics, signal=["support", "answer_support", NONE], **where)
    named = {
        NONE: "brier_score",
        "answer_support": "brier_minus_answer",
        "base_rate": "brier_minus_base_rate",
    }
    return rows.assign(metric=rows["versus"].map(named)).dropna(subset="metric")


def controlled_subsets(metrics: pd.DataFrame) -> pd.DataFrame:
    """Return the cells of high or low mean and concentration, by model.

    Where one of a model and signal has fewer answers than an interval needs, they are pooled over the datasets: each
    number is the mean over the answers, without an interval.
    """
    rows = _main(metrics, subset=CONTROLLED, versus=NONE, variant=DEFAULT)
    rows = rows[(rows["target"] != MEAN) & (rows["n"] > 0)]
    few = rows.groupby(["target", "signal"])["n"].transform("min") < FEWEST
    same = [*rows.columns.drop(["dataset", "train", "value", "sd", "ci_low", "ci_high", "p_value", "n"])]
    weighted = rows[few].assign(value=rows["value"] * rows["n"]).dropna(subset="value")
    pooled = weighted.groupby(same, sort=False)[["value", "n"]].sum().reset_index()
    pooled["value"] /= pooled["n"]
    rows = pd.concat([rows[~few], pooled.assign(dataset="all datasets")])
    rows.attrs = {"surprise": _surprise(rows)}
    return rows


def _surprise(rows: pd.DataFrame) -> str:
    """What a run shows of table 1: how often each metric is highest for the firm wrong answers."""
    if rows.empty:
        return "Here no cell has an answer: a signal whose concentration never varies has neither end of it."
    firm_wrong = next(iter(CONTROLLED))
    found = []
    for metric in ("faithfulness_divergence", "kl_divergence", "expected_brier_score", "expected_log_loss"):
        cells = having(rows, metric=metric).pivot_table(
            index=["target", "dataset", "signal"], columns="subset", values="value", observed=True
        )
        if firm_wrong in cells:
            cells = cells[cells[firm_wrong].notna() & (cells.notna().sum(axis=1) > 1)]
            most = int((cells.idxmax(axis=1) == firm_wrong).sum())
            found.append(f"{label(metric)} in {most} of {len(cells)}")
    return f"Here the firm wrong answers are the most surprising by {enumeration(found)}." if found else ""


def map_ablation(metrics: pd.DataFrame) -> pd.DataFrame:
    """Return signal space by map; “all datasets” is the mean over datasets and models, its `sd` the SD over them."""
    rows = _main(metrics, versus=NONE, space="signal", subset="all", metric=HEADLINES)
    raw = (rows["method"] == "original") & (rows["variant"] == DEFAULT)
    maps = changed_to(rows["variant"], "map").mask(rows["variant"] == DEFAULT, DEFAULT)
    mapped = maps.notna() & (rows["method"] == "ralc")
    rows = rows.assign(map=maps.mask(raw, "uncalibrated"))[raw | mapped]
    whole = rows[rows["target"] != MEAN].groupby(["map", "signal", "metric"], sort=False)
    whole = whole.agg(value=("value", "mean"), sd=("value", "std"), n=("n", "max")).reset_index()
    shown = having(rows, target=main_target(metrics)).assign(sd=np.nan)
    return pd.concat([shown, whole.assign(dataset="all datasets")])


def ablations(metrics: pd.DataFrame) -> pd.DataFrame:
    """Return variants of RALC's words, and of the signals by map, number of bins and protocol."""
    rows = having(metrics, versus=NONE, subset="all")
    rows = in_domain(one_evaluator(rows, main_evaluator(metrics)))
    compared = rows["method"].eq("ralc") | ((rows["space"] == "signal") & rows["method"].eq("original"))
    rows = rows[compared & ~rows["variant"].isin(list(SITUATIONS)[1:])]
    changed = (rows["variant"] != DEFAULT) | (rows["protocol"] != main_protocol(metrics))
    return rows.merge(rows.loc[changed, ["dataset", "space"]].drop_duplicates(), on=["dataset", "space"])


def counts(metrics: pd.DataFrame) -> pd.DataFrame:
    """Return what was lost of the answers and of their content, by the headline evaluator."""
    return in_domain(plain(metrics, space="linguistic"))


def words_lost(items: pd.DataFrame) -> pd.DataFrame:
    """Return the Brier score of RALC's words less that of the number that they are to say, guided by the main signal.

    It is by evaluator and variant of the words, model and dataset, and by what became of the answer: ``door`` is
    one of `ralc.results.labels.DOORS`. Intervals are 1.96 standard errors of the mean difference.
    """
    rows = in_domain(having(items, protocol=main_protocol(items)))
    rows = having(rows, method="ralc", signal=main_signal(rows))
    rows = rows.assign(error=(means(rows) - rows["outcome"]) ** 2)
    answer = ["target", "dataset", "question_id", "sentence"]
    number = having(rows, space="signal", variant=DEFAULT).set_index(answer)["error"].rename("of_number")
    words = having(rows, space="linguistic").join(number, on=answer)
    words["lost"] = words["error"] - words["of_number"]
    words["door"] = words["origin"].map(_DOOR_OF).fillna("hedge")
    both = pd.concat([words.assign(door="any"), words]).dropna(subset="lost")
    found = both.groupby(["evaluator", "variant", "target", "dataset", "door"], sort=False)["lost"]
    found = found.agg(value="mean", sd="std", n="count").reset_index()
    half = 1.96 * found["sd"] / np.sqrt(found["n"])
    bounds = {"ci_low": found["value"] - half, "ci_high": found["value"] + half}
    return found.drop(columns="sd").assign(**bounds, metric="brier_score")


def signal_profile(items: pd.DataFrame, metrics: pd.DataFrame) -> pd.DataFrame:
    """Return each raw signal on each dataset: level, bias, spread, agreement, discrimination.

    Of several models their mean is the last target, with its `sd`. `edge_share` is the share of answers whose
    distribution is highest at an end of the scale. `narrow_share` is that of answers whose SD is at most the rounding
    error of the scale.
    """
    raw = plain(items, space="signal")
    raw = having(raw, method="original")
    mixed = raw[raw.groupby("dataset")["abstained"].transform("nunique") > 1]
    halves = mixed.assign(subset=np.where(mixed["abstained"], "abstained", "answered"))
    by_subset = pd.concat([raw.assign(subset="all"), halves])
    shape = by_subset.groupby(_PROFILE, sort=False)[["alpha", "beta"]].apply(_shape)
    rows = [shape.reset_index().melt([*_PROFILE, "n"], var_name="metric")]
    if main_target(metrics) == MEAN:
        models = rows[0].groupby([*_PROFILE[1:], "metric"], sort=False)
        means = models.agg(value=("value", "mean"), sd=("value", "std"), n=("n", "min"))
        rows.append(means.reset_index().assign(target=MEAN))
    rows = pd.concat(rows)
    measured = in_domain(plain(metrics, space="signal", parts=True))
    measured = having(measured, method="original").drop(columns="n")  # n: all that have the signal
    return pd.concat([rows, measured.merge(rows[_PROFILE].drop_duplicates(), on=_PROFILE)])


def _shape(parameters: pd.DataFrame) -> pd.Series:
    """Shape of the distributions of one signal on one dataset; items without one are not counted in n."""
    scored = parameters.dropna().astype("float64")
    confidence = Beta.from_table(scored)
    mean, sd, concentration = (
        pd.Series(values)
        for values in (confidence.mean, np.sqrt(confidence.variance), confidence.concentration)
    )
    shares = {f"concentration_p{percent}": concentration.quantile(percent / 100) for percent in (10, 50, 90)}
    return pd.Series(
        {"sd_of_means": mean.std(), "median_width": sd.median(), **shares}
        | {"edge_share": (scored.min(axis=1) < 1).mean()}
        # ASSUME: the small tolerance only absorbs rounding of alpha and beta.
        | {"narrow_share": (sd <= RESOLUTION_SD * (1 + 1e-6)).mean(), "n": float(len(scored))}
    )


def human_benchmark(human_benchmark: pd.DataFrame) -> pd.DataFrame:
    """Return every evaluator on every yardstick, p-values Holm-corrected over the table."""
    rows = human_benchmark.assign(p_value=holm(human_benchmark["p_value"]))
    ceiling = rows["metric"].isin(_CEILINGS)
    rows.loc[ceiling, "evaluator"] = rows.loc[ceiling, "metric"]
    rows.loc[ceiling, "metric"] = "pearson"
    order = in_order(rows["evaluator"], [*EVALUATORS, *SCORERS])
    rows = rows.sort_values("evaluator", key=lambda names: names.map(order.index), kind="stable")
    rows["evaluator"] = [
        evaluator_on(evaluator, dataset) if evaluator in IN_SAMPLE.get(dataset, ()) else evaluator
        for evaluator, dataset in zip(rows["evaluator"], rows["dataset"], strict=True)
    ]
    here = [label(name) for name in rows.loc[rows["measured"] == "this run", "dataset"].unique()]
    where = (
        "Measured beforehand (ralc/data/human_benchmark.csv, python -m studies): not measured in this run."
    )
    if here:
        where = f"Measured in this run, on the studies in `people.data`: {'; '.join(here)}."
    rows.attrs = {"where": where, "tests": int(rows["p_value"].count())}
    return rows


def maps(maps: pd.DataFrame) -> pd.DataFrame:
    """Return every map that the run's confidences rest on, with its flags: default variant, the run's own protocol."""
    main = main_maps(maps)
    flags = [[FLAGS.get(flag, flag) for flag in text.split(", ") if flag] for text in main["flags"]]
    counted = pd.Series([flag for some in flags for flag in some], dtype="str").value_counts()
    named = main.assign(flags=["; ".join(some) or "none" for some in flags])
    rows = named.melt(
        ["target", "dataset", "signal", "map", "flags", "n"],
        ["slope", "intercept", "data_share", "left_out"],
        var_name="metric",
    )
    flagged = "; ".join(f"{flag}: {count} of {len(main)}" for flag, count in counted.items())
    rows.attrs = {"flags": flagged or "none"}
    return rows
