"""What was not answered, not read, not kept: every loss of the run, counted."""

import pandas as pd

from ralc.names import metrics_by
from ralc.results.select import CONDITION, in_domain, ordered, plain


def counts(items: pd.DataFrame, metrics: pd.DataFrame) -> pd.DataFrame:
    """Shares of answers never given, not attempted, ungraded, unread, not written by the model, or that lost content.

    Parameters
    ----------
    items
        The items table; its linguistic rows give the lost-content share.
    metrics
        The metrics table; it has the other shares.

    Returns
    -------
    DataFrame, one row a (target, dataset, method, signal), columns (quantity, part).
    """
    rows = in_domain(plain(items, space="linguistic"))
    if rows.empty:
        raise ValueError("items: no rows of space 'linguistic'")
    grouped = rows.assign(lost=lost_content(rows)).groupby(CONDITION, sort=False)
    rates = in_domain(plain(metrics, space="linguistic")).set_index([*CONDITION, "metric"])["value"]
    table = pd.DataFrame(
        {
            **{(rate, "value"): rates.xs(rate, level="metric") for rate in _rates(metrics)},
            ("lost_content_share", "value"): grouped["lost"].mean(),
            ("n", "value"): grouped.size().astype("float64"),
        }
    ).loc[list(grouped.groups)]
    table = table.loc[ordered(table.index.to_frame(index=False), CONDITION).pipe(pd.MultiIndex.from_frame)]
    table.columns = table.columns.set_names(["quantity", "part"])
    table.attrs = {
        "title": "What was lost on the way",
        "notes": [
            "Never answered: all samples of the question failed; it is in no map and no number, and not rewritten. "
            "Not attempted counts as wrong. Answers whose grade could not be parsed, and texts without a "
            "reading, are excluded from the metrics; here is how many.",
            "Template or original kept: the rewriting model gave nothing usable, so the hedge was put into the "
            "answer by rule, or the answer stayed as it was.",
            "Meaning changed: beside hedging the text turns the answer round, adds a claim or loses it, by a rule of "
            "ours on words, or doubts what was no answer to the question; and, where a model of entailment is asked, "
            "by what that says of both directions.",
            _what_lost_means(rows),
        ],
    }
    return table


def _rates(metrics: pd.DataFrame) -> list[str]:
    """The rates of losses that the run has, and of changed meanings, in their order."""
    present = set(metrics["metric"])
    rates = [*metrics_by("losses"), "meaning_changed", "not_entailed"]
    return [name for name in rates if name in present]


def lost_content(rows: pd.DataFrame) -> pd.Series:
    """Whether a rewrite lost content (1, 0, or missing where preservation does not apply).

    With an entailment judge: contradiction is its most probable verdict. With shared content words
    (no masses given): at least one content word of the original is gone.
    """
    preserved = rows["content_preservation"].astype("float64")
    masses = rows[["p_entail", "p_neutral", "p_contradict"]].astype("float64")
    judged = masses.notna().all(axis=1)
    contradicted = masses["p_contradict"] >= masses[["p_entail", "p_neutral"]].max(axis=1)
    lost = contradicted.where(judged, preserved < 1).astype("float64")
    return lost.where(preserved.notna())


def _what_lost_means(rows: pd.DataFrame) -> str:
    if rows["p_entail"].notna().any():
        return "Lost content: the entailment judge holds a contradiction of the original to be most probable."
    return (
        "Lost content: at least one content word of the original is gone (overlap of words, not entailment)."
    )
