"""The profile of each confidence signal before calibration (paper appendix C)."""

import numpy as np
import pandas as pd

from ralc.beta import Beta
from ralc.report.tables.headline import ABSTENTIONS
from ralc.results.select import in_domain, main_target, ordered, plain, spread, values

# Readers step in about five points: scores that all agree have the rounding error of that as SD.
RESOLUTION_SD = 0.05 / np.sqrt(12)
KEY = ["target", "dataset", "subset", "signal"]
NOTES = [
    "k is the concentration α + β. “SD of means” is how far answers differ from one another, “median SD "
    "within” how wide the distribution of one answer is.",
    "“Piled at an end”: the distribution is highest at 0 or 1 (for semantic uncertainty: every sample in "
    f"one cluster). “All readings agree”: an SD of at most {RESOLUTION_SD:.4f}, the rounding error of the "
    "scale.",
    ABSTENTIONS,
]


def signal_profile(items: pd.DataFrame, metrics: pd.DataFrame) -> pd.DataFrame:
    """Each signal on each dataset before calibration: level, spread, agreement, discrimination.

    Parameters
    ----------
    items
        The items table; its rows of space `signal`, method `original` are described.
    metrics
        The metrics table: accuracy, mean confidence and AUROC with their intervals.

    Returns
    -------
    DataFrame, one row a (target, dataset, subset, signal), columns (quantity, part); of several models their mean, too,
    with its `sd` over them. `edge_share` is the share of answers whose distribution is highest at an end of the scale
    (for semantic uncertainty: all samples in one cluster or none); `narrow_share` the share whose SD is at most the
    rounding error of the scale (all readings agree).
    """
    raw = plain(items, space="signal")
    raw = raw[raw["method"] == "original"]
    if raw.empty:
        raise ValueError("items: no rows of space 'signal', method 'original'")
    described = _apart(raw).groupby(KEY, sort=False)[["alpha", "beta"]].apply(_describe)
    parts = [values(described)]
    if main_target(metrics) == "mean":
        parts.append(_over_models(described))
    table = pd.concat(parts).join(_measured(metrics), how="left")
    quantities = ["accuracy", "mean_confidence", "auroc", "sd_of_means", "median_width"]
    quantities += [
        "concentration_p10",
        "concentration_p50",
        "concentration_p90",
        "edge_share",
        "narrow_share",
    ]
    present = table.columns.get_level_values(0)
    table = table[[column for q in [*quantities, "n"] if q in present for column in table if column[0] == q]]
    table = table.loc[ordered(table.index.to_frame(index=False), KEY).pipe(pd.MultiIndex.from_frame)]
    table.attrs = {
        "title": "The confidence signals before calibration",
        "notes": NOTES,
        "best_within": ["target", "dataset", "subset"],
    }
    return table


def _apart(items: pd.DataFrame) -> pd.DataFrame:
    """Items by subset: all, and of datasets where some abstain and others do not, those that do and that do not."""
    mixed = items[items.groupby("dataset")["abstained"].transform("nunique") > 1]
    subset = np.where(mixed["abstained"], "abstained", "answered")
    return pd.concat([items.assign(subset="all"), mixed.assign(subset=subset)])


def _describe(parameters: pd.DataFrame) -> pd.Series:
    """Shape of the distributions of one signal on one dataset; items without one are not counted in n."""
    scored = parameters.dropna().astype("float64")
    confidence = Beta.from_table(scored)
    sd = np.sqrt(confidence.variance)
    low, middle, high = (
        np.quantile(confidence.concentration, [0.1, 0.5, 0.9]) if len(scored) else [np.nan] * 3
    )
    return pd.Series(
        {
            "sd_of_means": np.std(confidence.mean, ddof=1) if len(scored) > 1 else np.nan,
            "median_width": np.median(sd) if len(scored) else np.nan,
            "concentration_p10": low,
            "concentration_p50": middle,
            "concentration_p90": high,
            "edge_share": np.mean(np.minimum(scored["alpha"], scored["beta"]) < 1) if len(scored) else np.nan,
            # ASSUME: the small tolerance only absorbs rounding of alpha and beta.
            "narrow_share": np.mean(sd <= RESOLUTION_SD * (1 + 1e-6)) if len(scored) else np.nan,
            "n": float(len(scored)),
        }
    )


def _over_models(described: pd.DataFrame) -> pd.DataFrame:
    """The mean over models with its SD, columns (quantity, part); n is that of the model with the fewest answers."""
    models = described.groupby(KEY[1:], sort=False)
    parts = {"value": models.mean().assign(n=models["n"].min()), "sd": models.std().drop(columns="n")}
    table = pd.concat(parts, axis="columns", names=["part", "quantity"]).swaplevel(axis="columns")
    return pd.concat({"mean": table}, names=["target"])


def _measured(metrics: pd.DataFrame) -> pd.DataFrame:
    """Accuracy, mean confidence and AUROC of the raw signals, columns (quantity, part)."""
    rows = in_domain(plain(metrics, space="signal", apart=True))
    rows = rows[
        (rows["method"] == "original") & rows["metric"].isin(["accuracy", "mean_confidence", "auroc"])
    ]
    parts = ["value", "ci_low", "ci_high", *(["sd"] if rows["sd"].notna().any() else [])]
    wide = spread(rows.set_index([*KEY, "metric"])[parts], "metric").swaplevel(axis=1)
    wide.columns = wide.columns.set_names(["quantity", "part"])
    return wide
