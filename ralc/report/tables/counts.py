"""What was not answered, not read, not kept: every loss of the run, counted."""

import pandas as pd

from ralc.results.select import CONDITION, in_domain, ordered, plain


def counts(items: pd.DataFrame, *, reader: str | None = None) -> pd.DataFrame:
    """Shares of answers not attempted, ungraded, unread, rewritten by template, or that lost content.

    Parameters
    ----------
    items : the items table; its linguistic rows give the template and lost-content shares.
    reader : who read the texts; None takes the independent judge.

    Returns
    -------
    DataFrame, one row a (target, dataset, method, signal), columns (quantity, part).
    """
    rows = in_domain(plain(items, space="linguistic", reader=reader))
    if rows.empty:
        raise ValueError("items: no rows of space 'linguistic'")
    grouped = rows.assign(lost=lost_content(rows), template=rows["origin"] == "template").groupby(
        CONDITION, sort=False
    )
    written = grouped["origin"].agg(lambda origin: (origin != "none").any())
    table = pd.DataFrame(
        {
            ("not_attempted_rate", "value"): grouped["grade"].agg(
                lambda grade: (grade == "NOT_ATTEMPTED").mean()
            ),
            ("unparsed_rate", "value"): grouped["grade"].agg(lambda grade: (grade == "unparsed").mean()),
            ("unscored_rate", "value"): grouped["alpha"].agg(lambda alpha: alpha.isna().mean()),
            ("fallback_rate", "value"): grouped["template"].mean().where(written),
            ("lost_content_share", "value"): grouped["lost"].mean(),
            ("n", "value"): grouped.size().astype("float64"),
        }
    )
    table = table.loc[ordered(table.index.to_frame(index=False), CONDITION).pipe(pd.MultiIndex.from_frame)]
    table.columns = table.columns.set_names(["quantity", "part"])
    table.attrs = {
        "title": "What was lost on the way",
        "notes": [
            "Not attempted counts as wrong. Answers whose grade could not be parsed, and texts without a "
            "reading, are excluded from the metrics; here is how many.",
            "Written by template: the rewriting model gave nothing usable, so the hedge was put before the "
            "answer.",
            _what_lost_means(rows),
        ],
    }
    return table


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
