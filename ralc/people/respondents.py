"""Where groups of the CAPphrase study's respondents read the same phrase differently."""

import numpy as np
import pandas as pd
from scipy import stats

from ralc.readers.audiences import audience_names, load_audiences
from ralc.statistics import holm

#: Groups that stand for several: everybody whose first language is not English.
MERGED = {("english_background", "second_language"): ("second_language_fluent", "second_language_not_fluent")}


def audience_differences() -> pd.DataFrame:
    """Where audiences read the same phrase differently: every group against the variable's largest group.

    Difference of means with a Welch interval and p-value, Holm-corrected over all phrases and groups of the
    table; scores in [0, 1].

    Returns
    -------
    Columns ``variable, group, versus, phrase, n, mean, mean_versus, difference, ci_low, ci_high, p_value,
    p_holm``, sorted by variable, group and phrase.

    Examples
    --------
    >>> table = audience_differences()
    >>> bool((table["p_holm"] >= table["p_value"]).all())
    True
    """
    figures = load_audiences()
    tables = [_against_largest(figures[figures["variable"] == variable]) for variable in audience_names()]
    table = pd.concat(tables, ignore_index=True)
    return table.assign(p_holm=holm(table["p_value"]))


def _against_largest(rows: pd.DataFrame) -> pd.DataFrame:
    parts = {
        part for (_, group), members in MERGED.items() if group in set(rows["group"]) for part in members
    }
    rows = rows[~rows["group"].isin(parts)]  # the merged group stands for them
    largest = rows.loc[rows["n"].idxmax(), "group"]
    reference = rows[rows["group"] == largest].set_index("phrase")
    others = rows[rows["group"] != largest].sort_values(["group", "phrase"])
    versus = reference.loc[others["phrase"]].reset_index()
    one, two = (part["sd"].to_numpy() ** 2 / part["n"].to_numpy() for part in (others, versus))
    error = np.sqrt(one + two)
    freedom = (one + two) ** 2 / (
        one**2 / (others["n"].to_numpy() - 1) + two**2 / (versus["n"].to_numpy() - 1)
    )
    difference = others["mean"].to_numpy() - versus["mean"].to_numpy()
    reach = stats.t.ppf(0.975, freedom) * error
    return pd.DataFrame(
        {
            "variable": others["variable"].to_numpy(),
            "group": others["group"].to_numpy(),
            "versus": largest,
            "phrase": others["phrase"].to_numpy(),
            "n": others["n"].to_numpy(),
            "mean": others["mean"].to_numpy(),
            "mean_versus": versus["mean"].to_numpy(),
            "difference": difference,
            "ci_low": difference - reach,
            "ci_high": difference + reach,
            "p_value": 2 * stats.t.sf(np.abs(difference) / error, freedom),
        }
    )
