"""Tables of other results than the metrics: signals, losses, long answers, evaluators beside people, fitted maps."""

from collections.abc import Iterator

import numpy as np
import pandas as pd

from ralc import statistics
from ralc.beta import Beta
from ralc.conditions import DEFAULT, MEAN, UNIT
from ralc.registry import EVALUATOR_METRICS, metrics_by
from ralc.report.tables.view import ordered, values, widen
from ralc.results.filters import CONDITION, evaluators_of, in_domain, main_protocol, main_target, plain
from ralc.results.labels import EVALUATORS, IN_SAMPLE, SCORERS, YARDSTICKS, evaluator_on, in_order, label
from ralc.statistics import holm

#: Evaluators step in about five points: scores that all agree have the rounding error of that as SD.
RESOLUTION_SD = 0.05 / np.sqrt(12)
PROFILE = ["target", "dataset", "subset", "signal"]
#: Whose confidence a sentence has: its own, its answer's, or the base rate's.
SENTENCE, ANSWER, BASE = "support", "answer_support", "none"
RESAMPLES, STEP = 1000, 0.05
#: Ceilings are Pearson correlations, and stand in that column as scorers of their own.
CEILINGS = ("noise_ceiling", "one_person")
#: What is said of each flag of a map (`ralc.calibration`).
FLAGS = {
    "few_items": "few training answers for a map of its kind",
    "one_class": "all training answers right, or all wrong",
    "separation": "a threshold tells right from wrong without error",
    "unidentified_slope": "the data do not tell the slope",
    "negative_slope": "the more confident, the less often right",
    "flat": "the same for every answer",
    "mostly_prior": "rests mostly on what such signals are usually worth",
}


def signal_profile(items: pd.DataFrame, metrics: pd.DataFrame) -> pd.DataFrame:
    """Return each raw signal on each dataset: level, bias, spread, agreement, discrimination.

    One row a (target, dataset, subset, signal); of several models their mean is the last target, with its `sd`.
    `edge_share` is the share of answers whose distribution is highest at an end of the scale; `narrow_share` that of
    answers whose SD is at most the rounding error of the scale.

    Raises
    ------
    ValueError
        If there is no raw signal.
    """
    raw = plain(items, space="signal")
    raw = raw[raw["method"] == "original"]
    if raw.empty:
        raise ValueError("items: no rows of space 'signal', method 'original'")
    mixed = raw[raw.groupby("dataset")["abstained"].transform("nunique") > 1]
    apart = mixed.assign(subset=np.where(mixed["abstained"], "abstained", "answered"))
    by_subset = pd.concat([raw.assign(subset="all"), apart])
    described = by_subset.groupby(PROFILE, sort=False)[["alpha", "beta"]].apply(_describe)
    parts = [values(described)]
    if main_target(metrics) == MEAN:
        models = described.groupby(PROFILE[1:], sort=False)
        mean = values(models.mean().assign(n=models["n"].min()))
        spread = models.std().drop(columns="n")
        mean[[(name, "sd") for name in spread]] = spread.to_numpy()
        parts.append(pd.concat({MEAN: mean}, names=["target"]))
    measured = ["accuracy", "mean_confidence", "miscalibration_bias", "auroc"]
    rows = in_domain(plain(metrics, space="signal", apart=True))
    wide = widen(rows[rows["method"] == "original"], PROFILE, measured, ["value", "ci_low", "ci_high", "sd"])
    table = pd.concat(parts).join(wide.drop(columns="n", level=0), how="left")
    shown = [*measured, *(name for name in described if name != "n"), "n"]
    table = _in_order(table[[column for name in shown for column in table if column[0] == name]])
    notes = [
        "Mean confidence minus accuracy is the bias; above 0 a signal is more confident than right.",
        "k is the concentration α + β. SD of means: how far answers differ. Median SD within: of one answer.",
        "Piled at an end: the distribution is highest at 0 or 1, as when all samples agree.",
        f"All readings agree: an SD of at most {RESOLUTION_SD:.4f}, the rounding error of the scale.",
    ]
    table.attrs = {"notes": notes, "best_within": PROFILE[:3]}
    return table


def _in_order(table: pd.DataFrame) -> pd.DataFrame:
    """The rows of a table in the order of the tables."""
    keys = ordered(table.index.to_frame(index=False), list(table.index.names))
    return table.loc[pd.MultiIndex.from_frame(keys)]


def _describe(parameters: pd.DataFrame) -> pd.Series:
    """Shape of the distributions of one signal on one dataset; items without one are not counted in n."""
    scored = parameters.dropna().astype("float64")
    names = ["sd_of_means", "median_width", "concentration_p10", "concentration_p50", "concentration_p90"]
    names += ["edge_share", "narrow_share"]
    if scored.empty:
        return pd.Series(dict.fromkeys(names, np.nan) | {"n": 0.0})
    confidence = Beta.from_table(scored)
    sd = np.sqrt(confidence.variance)
    described = [
        np.std(confidence.mean, ddof=1) if len(scored) > 1 else np.nan,
        np.median(sd),
        *np.quantile(confidence.concentration, [0.1, 0.5, 0.9]),
        np.mean(np.minimum(confidence.alpha, confidence.beta) < 1),
        # ASSUME: the small tolerance only absorbs rounding of alpha and beta.
        np.mean(sd <= RESOLUTION_SD * (1 + 1e-6)),
    ]
    return pd.Series(dict(zip(names, described, strict=True)) | {"n": float(len(scored))})


def counts(items: pd.DataFrame, metrics: pd.DataFrame) -> pd.DataFrame:
    """Return shares of answers never given, not attempted, ungraded, unread, not rewritten, or that lost content.

    Raises
    ------
    ValueError
        If there is no text.
    """
    rows = in_domain(plain(items, space="linguistic"))
    if rows.empty:
        raise ValueError("items: no rows of space 'linguistic'")
    grouped = rows.assign(lost=lost_content(rows)).groupby(CONDITION, sort=False)
    rates = in_domain(plain(metrics, space="linguistic")).set_index([*CONDITION, "metric"])["value"]
    present = [*metrics_by("losses"), "meaning_changed", "not_entailed"]
    columns = {name: rates.xs(name, level="metric") for name in present if name in set(metrics["metric"])}
    columns |= {"lost_content_share": grouped["lost"].mean(), "n": grouped.size()}
    table = _in_order(values(pd.DataFrame(columns).loc[list(grouped.groups)]))
    table.attrs["notes"] = [
        "Never answered: all samples failed. The question is in no map and no number.",
        "Not attempted counts as wrong. Answers without a parsed grade, and texts without a reading, are left out.",
        "Not as asked: the rewriting model gave nothing usable, so a template or the original stands.",
        "Meaning changed: beside hedging, the text adds, loses or turns round a claim.",
        "Lost content: the entailment model holds a contradiction to be most probable."
        if rows["p_entail"].notna().any()
        else "Lost content: a content word of the original is gone (overlap of words, not entailment).",
    ]
    return table


def lost_content(rows: pd.DataFrame) -> pd.Series:
    """Return whether a rewrite lost content: 1, 0, or missing where preservation does not apply.

    By entailment: contradiction is most probable. By shared content words: at least one is gone.
    """
    preserved = rows["content_preservation"].astype("float64")
    masses = rows[["p_entail", "p_neutral", "p_contradict"]].astype("float64")
    contradicted = masses["p_contradict"] >= masses[["p_entail", "p_neutral"]].max(axis=1)
    lost = contradicted.where(masses.notna().all(axis=1), preserved < 1).astype("float64")
    return lost.where(preserved.notna())


def sentences(items: pd.DataFrame) -> pd.DataFrame:
    """Return the Brier score of each sentence by its own confidence, by its answer's, and by the base rate."""
    part = (items["variant"] == DEFAULT) & (items["protocol"] == main_protocol(items))
    rows = in_domain(items[part]).dropna(subset=["alpha"])
    parts = [
        {"target": target, "dataset": dataset, "evaluator": evaluator} | row
        for (target, dataset), part in rows.groupby(["target", "dataset"], sort=False, observed=True)
        for evaluator in ("none", *evaluators_of(items))
        for row in _of_sentences(part, evaluator)
    ]
    table = pd.DataFrame(parts).set_index(["target", "dataset", "signal", "evaluator"])
    table.columns = pd.MultiIndex.from_tuples(table.columns, names=["quantity", "part"])
    table.attrs["notes"] = [
        "Held-out answers, a sentence each; its outcome is the share of its facts that are right.",
        "With an evaluator the score is of the words, without one of the calibrated number.",
        "Intervals and paired differences resample questions.",
        "Read as meant: hedged sentences that are read within 0.05 of the calibrated mean.",
    ]
    return table


def _of_sentences(items: pd.DataFrame, evaluator: str) -> Iterator[dict]:
    """The rows of one target, dataset and evaluator; none where one of the three confidences is not there."""
    ralc = items[items["method"] == "ralc"]
    guided = ralc[ralc["evaluator"] == evaluator]
    by = {signal: guided[guided["signal"] == signal].set_index(UNIT) for signal in (SENTENCE, ANSWER)}
    by[BASE] = items[items["method"] == "base_rate"].set_index(UNIT)
    if any(rows.empty for rows in by.values()):
        return
    shared = by[SENTENCE].dropna(subset=["outcome"]).index
    shared = shared.intersection(by[ANSWER].index).intersection(by[BASE].index)
    ours = by[SENTENCE].loc[shared]
    outcome, groups = ours["outcome"].to_numpy(float), ours["group"].to_numpy()
    scores = [statistics.mean((Beta.from_table(of.loc[shared]).mean - outcome) ** 2) for of in by.values()]
    rng = np.random.default_rng(0)
    resamples = statistics.resample(len(ours), groups=groups, resamples=RESAMPLES, rng=rng)
    drawn = dict(zip(by, resamples.evaluate(scores), strict=True))
    for signal, rows in by.items():
        numbers = {"brier_score": drawn[signal]}
        for name, other in (("brier_minus_answer", ANSWER), ("brier_minus_base_rate", BASE)):
            if signal not in (BASE, other):
                numbers[name] = statistics.Estimate.combine([(drawn[signal], 1.0), (drawn[other], -1.0)])
        table = statistics.intervals(list(numbers.values()))[["value", "ci_low", "ci_high"]]
        row = {("n", "value"): len(shared)}
        for name, (_, parts) in zip(numbers, table.iterrows(), strict=True):
            row |= {(name, part): value for part, value in parts.items()}
        if evaluator != "none" and signal != BASE:
            hedged = rows["origin"].isin(["model", "grammar", "template"]).to_numpy()
            aims = ralc[(ralc["evaluator"] == "none") & (ralc["signal"] == signal)].set_index(UNIT)
            near = np.abs(Beta.from_table(rows).mean - Beta.from_table(aims.loc[rows.index]).mean) <= STEP
            row[("read_as_meant", "value")] = float(near[hedged].mean()) if hedged.any() else np.nan
            row[("hedges", "value")] = float(hedged.mean())
        yield {"signal": signal} | row


def human_benchmark(human_benchmark: pd.DataFrame) -> pd.DataFrame:
    """Return every evaluator on every yardstick: correlations with people, errors of mean and spread."""
    rows = human_benchmark.assign(p_value=holm(human_benchmark["p_value"]))
    ceiling = rows["metric"].isin(CEILINGS)
    rows.loc[ceiling, "evaluator"] = rows.loc[ceiling, "metric"]
    rows.loc[ceiling, "metric"] = "pearson"
    datasets = in_order(rows["dataset"], YARDSTICKS)
    evaluators = in_order(rows["evaluator"], [*EVALUATORS, *SCORERS])
    quantities = [metric for metric in EVALUATOR_METRICS if metric not in CEILINGS]
    table = widen(rows, ["dataset", "evaluator"], quantities, ["value", "ci_low", "ci_high", "p_value"])
    table = table.loc[[pair for d in datasets for e in evaluators if (pair := (d, e)) in table.index]]
    table.index = table.index.map(
        lambda pair: (pair[0], evaluator_on(*pair[::-1])) if pair[1] in IN_SAMPLE.get(pair[0], ()) else pair
    )
    here = [label(name) for name in rows.loc[rows["measured"] == "this run", "dataset"].unique()]
    table.attrs["notes"] = [
        f"Measured in this run, on the studies in `people.data`: {'; '.join(here)}."
        if here
        else "Measured beforehand (ralc/data/human_benchmark.csv, python -m studies): not measured in this run.",
        f"p-values are of no correlation, Holm-corrected over the {rows['p_value'].count()} of this table.",
        "Raw scores: five people each, nothing removed. The ceiling is the highest Pearson r with their mean.",
        "Band-filtered scores (1,622 items) were kept only in the band of the level that the writer was asked for. "
        "This set measures the filter as much as reading: the level alone has ρ 0.869 and r 0.986.",
        "Phrases: an evaluator that was fitted on a survey is marked as in sample there. "
        "Spread is the SD between people.",
        "“Fitted anew” rows are of an evaluator fitted on half of the people, or without the phrase; they are always "
        "measured beforehand (python -m studies.refits).",
    ]
    return table


def maps(maps: pd.DataFrame) -> pd.DataFrame:
    """Return every map that the run's confidences rest on, with its flags: default variant, the run's own protocol."""
    main = maps[(maps["variant"] == DEFAULT) & (maps["protocol"] == maps["protocol"].iloc[0])]
    flags = [[FLAGS.get(flag, flag) for flag in text.split(", ") if flag] for text in main["flags"]]
    named = main.assign(flags=["; ".join(some) or "none" for some in flags])
    index = ["target", "dataset", "signal", "map", "flags"]
    table = values(named.set_index(index)[["slope", "intercept", "data_share", "left_out", "n"]])
    counted = pd.Series([flag for some in flags for flag in some], dtype="str").value_counts()
    flagged = "; ".join(f"{flag}: {count} of {len(main)}" for flag, count in counted.items())
    table.attrs["notes"] = [
        f"Flags: {flagged or 'none'}.",
        "Training answers without a grade or without the signal are left out.",
        "Slope, intercept: of the logit of the mean. Data share: what of the slope is not from its prior.",
    ]
    return table
