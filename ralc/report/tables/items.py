"""Tables over the items: the raw signals, what was lost, and long answers sentence by sentence."""

from collections.abc import Iterator

import numpy as np
import pandas as pd

from ralc import statistics
from ralc.beta import Beta
from ralc.conditions import DEFAULT, MEAN, UNIT
from ralc.registry import metrics_by
from ralc.report.tables.specs import ordered, values
from ralc.results.filters import CONDITION, evaluators_of, in_domain, main_protocol, main_target, plain

#: Evaluators step in about five points: scores that all agree have the rounding error of that as SD.
RESOLUTION_SD = 0.05 / np.sqrt(12)
PROFILE = ["target", "dataset", "subset", "signal"]
#: Whose confidence a sentence has: its own, its answer's, or the base rate's.
SENTENCE, ANSWER, BASE = "support", "answer_support", "none"
RESAMPLES, STEP = 1000, 0.05
#: Who wrote a hedge.
HEDGED = ("model", "grammar", "template")


def signal_profile(items: pd.DataFrame, metrics: pd.DataFrame) -> pd.DataFrame:
    """Return each raw signal on each dataset: level, bias, spread, agreement, discrimination.

    Returns
    -------
    DataFrame, one row a (target, dataset, subset, signal), columns (quantity, part). Of several models their mean is
    the last target, with its `sd`. `edge_share` is the share of answers whose distribution is highest at an end of the
    scale; `narrow_share` that of answers whose SD is at most the rounding error of the scale.

    Raises
    ------
    ValueError
        If there is no raw signal.
    """
    raw = plain(items, space="signal")
    raw = raw[raw["method"] == "original"]
    if raw.empty:
        raise ValueError("items: no rows of space 'signal', method 'original'")
    described = _by_subset(raw).groupby(PROFILE, sort=False)[["alpha", "beta"]].apply(_describe)
    parts = [values(described)]
    if main_target(metrics) == MEAN:
        models = described.groupby(PROFILE[1:], sort=False)
        mean = values(models.mean().assign(n=models["n"].min()))
        spread = models.std().drop(columns="n")
        mean[[(name, "sd") for name in spread]] = spread.to_numpy()
        parts.append(pd.concat({MEAN: mean}, names=["target"]))
    rows = in_domain(plain(metrics, space="signal", apart=True))
    rows = rows[rows["method"] == "original"].set_index([*PROFILE, "metric"])
    measured = ["accuracy", "mean_confidence", "miscalibration_bias", "auroc"]
    numbers = ["value", "ci_low", "ci_high", *(["sd"] if rows["sd"].notna().any() else [])]
    wide = rows.loc[rows.index.isin(measured, level="metric"), numbers].unstack("metric").swaplevel(axis=1)  # noqa: PD010
    wide.columns = wide.columns.set_names(["quantity", "part"])
    table = pd.concat(parts).join(wide, how="left")
    shown = [*measured, *(name for name in described if name != "n"), "n"]
    table = table[[column for name in shown for column in table if column[0] == name]]
    table = table.loc[ordered(table.index.to_frame(index=False), PROFILE).pipe(pd.MultiIndex.from_frame)]
    table.attrs = {
        "notes": [
            "Mean confidence minus accuracy is the bias; above 0 a signal is more confident than right.",
            "k is the concentration α + β. SD of means: how far answers differ. Median SD within: of one answer.",
            "Piled at an end: the distribution is highest at 0 or 1, as when all samples agree.",
            f"All readings agree: an SD of at most {RESOLUTION_SD:.4f}, the rounding error of the scale.",
        ],
        "best_within": PROFILE[:3],
    }
    return table


def _by_subset(items: pd.DataFrame) -> pd.DataFrame:
    """Items by subset: all, and of datasets where some abstain and others do not, those that do and that do not."""
    mixed = items[items.groupby("dataset")["abstained"].transform("nunique") > 1]
    apart = mixed.assign(subset=np.where(mixed["abstained"], "abstained", "answered"))
    return pd.concat([items.assign(subset="all"), apart])


def _describe(parameters: pd.DataFrame) -> pd.Series:
    """Shape of the distributions of one signal on one dataset; items without one are not counted in n."""
    scored = parameters.dropna().astype("float64")
    n, confidence = len(scored), Beta.from_table(scored)
    sd = np.sqrt(confidence.variance)
    described = {
        "sd_of_means": np.std(confidence.mean, ddof=1) if n > 1 else np.nan,
        "median_width": np.median(sd) if n else np.nan,
    }
    for share in (0.1, 0.5, 0.9):
        described[f"concentration_p{100 * share:.0f}"] = (
            np.quantile(confidence.concentration, share) if n else np.nan
        )
    described["edge_share"] = np.mean(np.minimum(scored["alpha"], scored["beta"]) < 1) if n else np.nan
    # ASSUME: the small tolerance only absorbs rounding of alpha and beta.
    described["narrow_share"] = np.mean(sd <= RESOLUTION_SD * (1 + 1e-6)) if n else np.nan
    return pd.Series(described | {"n": float(n)})


def counts(items: pd.DataFrame, metrics: pd.DataFrame) -> pd.DataFrame:
    """Return shares of answers never given, not attempted, ungraded, unread, not rewritten, or that lost content.

    One row a (target, dataset, method, signal), columns (quantity, part).

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
    present = [name for name in present if (metrics["metric"] == name).any()]
    columns = {rate: rates.xs(rate, level="metric") for rate in present}
    columns |= {"lost_content_share": grouped["lost"].mean(), "n": grouped.size()}
    table = values(pd.DataFrame(columns).loc[list(grouped.groups)])
    table = table.loc[ordered(table.index.to_frame(index=False), CONDITION).pipe(pd.MultiIndex.from_frame)]
    entailment = rows["p_entail"].notna().any()
    table.attrs = {
        "notes": [
            "Never answered: all samples failed. The question is in no map and no number.",
            "Not attempted counts as wrong. Answers without a parsed grade, and texts without a reading, are left out.",
            "Not as asked: the rewriting model gave nothing usable, so a template or the original stands.",
            "Meaning changed: beside hedging, the text adds, loses or turns round a claim.",
            "Lost content: the entailment model holds a contradiction to be most probable."
            if entailment
            else "Lost content: a content word of the original is gone (overlap of words, not entailment).",
        ]
    }
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
    """Return the Brier score of each sentence by its own confidence, by its answer's, and by the base rate.

    One row a (target, dataset, signal, evaluator), columns (quantity, part).
    """
    own = (items["variant"] == DEFAULT) & (items["protocol"] == main_protocol(items))
    rows = in_domain(items[own]).dropna(subset=["alpha"])
    found = [
        {"target": target, "dataset": dataset, "evaluator": evaluator} | row
        for (target, dataset), own in rows.groupby(["target", "dataset"], sort=False, observed=True)
        for evaluator in ("none", *evaluators_of(items))
        for row in _compared(own, evaluator)
    ]
    table = pd.DataFrame(found).set_index(["target", "dataset", "signal", "evaluator"])
    table.columns = pd.MultiIndex.from_tuples(table.columns, names=["quantity", "part"])
    table.attrs = {
        "notes": [
            "Held-out answers, a sentence each; its outcome is the share of its facts that are right.",
            "With an evaluator the score is of the words, without one of the calibrated number.",
            "Intervals and paired differences resample questions.",
            "Read as meant: hedged sentences that are read within 0.05 of the calibrated mean.",
        ]
    }
    return table


def _compared(items: pd.DataFrame, evaluator: str) -> Iterator[dict]:
    """The rows of one target, dataset and evaluator; none where one of the three confidences is not there."""
    guided = items[(items["method"] == "ralc") & (items["evaluator"] == evaluator)]
    given = {signal: guided[guided["signal"] == signal].set_index(UNIT) for signal in (SENTENCE, ANSWER)}
    given[BASE] = items[items["method"] == "base_rate"].set_index(UNIT)
    if any(rows.empty for rows in given.values()):
        return
    shared = given[SENTENCE].dropna(subset=["outcome"]).index
    shared = shared.intersection(given[ANSWER].index).intersection(given[BASE].index)
    own = given[SENTENCE].loc[shared]
    outcome = own["outcome"].to_numpy(float)
    scores = [statistics.brier_score(outcome, Beta.from_table(of.loc[shared]).mean) for of in given.values()]
    resamples = statistics.resample(
        len(own), groups=own["group"].to_numpy(), resamples=RESAMPLES, rng=np.random.default_rng(0)
    )
    drawn = dict(zip(given, resamples.evaluate(scores), strict=True))
    for signal, rows in given.items():
        numbers = {"brier_score": drawn[signal]}
        for name, other in (("brier_minus_answer", ANSWER), ("brier_minus_base_rate", BASE)):
            if signal not in (BASE, other):
                numbers[name] = statistics.Drawn.combine([(drawn[signal], 1.0), (drawn[other], -1.0)])
        table = statistics.intervals(list(numbers.values()))[["value", "ci_low", "ci_high"]]
        row = {("n", "value"): len(shared)}
        for name, (_, parts) in zip(numbers, table.iterrows(), strict=True):
            row |= {(name, part): value for part, value in parts.items()}
        yield {"signal": signal} | row | _hedged(rows, items, signal, evaluator)


def _hedged(
    rows: pd.DataFrame, items: pd.DataFrame, signal: str, evaluator: str
) -> dict[tuple[str, str], float]:
    """Which share of sentences, graded or not, is hedged, and which share of those is read as meant."""
    if evaluator == "none" or signal == BASE:
        return {}
    hedged = rows["origin"].isin(HEDGED).to_numpy()
    aims = items[(items["method"] == "ralc") & (items["evaluator"] == "none") & (items["signal"] == signal)]
    aimed = Beta.from_table(aims.set_index(UNIT).loc[rows.index]).mean
    near = np.abs(Beta.from_table(rows).mean - aimed) <= STEP
    share = float(near[hedged].mean()) if hedged.any() else np.nan
    return {("read_as_meant", "value"): share, ("hedges", "value"): float(hedged.mean())}
