"""Audiences: how groups of the CAPphrase study's respondents read the same phrases.

The figures (mean and SD of every phrase by group) are committed; the respondents' answers are not.
"""

from collections.abc import Sequence
from functools import cache
from importlib import resources
from typing import Any

import numpy as np
import pandas as pd
from scipy import stats
from scipy.special import logit
from statsmodels.stats.multitest import multipletests

from ralc.readers.cues import find_cues
from ralc.readers.persons import phrase_figures
from ralc.readers.studies import PHRASE_SENTENCES

#: Short names of the respondents' answers, by the column they answer.
AUDIENCE_COLUMNS: dict[str, dict[str, str]] = {
    "english_background": {
        "English is my first language": "first_language",
        "English is not my first language but I am fluent": "second_language_fluent",
        "English is not my first language and I am not fluent": "second_language_not_fluent",
    },
    "age_band": {
        "Under 18": "under_18",
        "18-24": "18-24",
        "25-34": "25-34",
        "35-44": "35-44",
        "45-54": "45-54",
        "55-64": "55-64",
        "65-74": "65-74",
        "75+": "75_and_over",
    },
    "education_level": {
        "Less than high school": "less_than_high_school",
        "High school": "high_school",
        "Some college": "some_college",
        "Bachelor": "bachelor",
        "Postgraduate": "postgraduate",
    },
}
#: Groups that stand for several: everybody whose first language is not English.
MERGED = {("english_background", "second_language"): ("second_language_fluent", "second_language_not_fluent")}
SMALLEST_GROUP = 30  # a group with fewer respondents is not offered: its figures would be noise
_WIDTH = 1.0  # log-odds: how far along the scale a phrase's difference carries to cues without figures


def audience_figures(capphrase: pd.DataFrame, columns: dict[str, dict[str, str]]) -> pd.DataFrame:
    """Figures of every phrase by group: ``variable, group, phrase, n, mean, sd, sd_words``; ``all`` is everyone.

    Groups below 30 respondents are left out.
    """
    tables = [phrase_figures(capphrase).assign(variable="all", group="all")]
    for variable, names in columns.items():
        groups = capphrase[variable].map(names)
        members = {name: (name,) for name in names.values()}
        members |= {group: parts for (column, group), parts in MERGED.items() if column == variable}
        for group, parts in members.items():
            rows = capphrase[groups.isin(parts)]
            if rows["person"].nunique() >= SMALLEST_GROUP:
                tables.append(phrase_figures(rows).assign(variable=variable, group=group))
    order = ["variable", "group", "phrase", "n", "mean", "sd", "sd_words"]
    return pd.concat(tables, ignore_index=True)[order].round({"mean": 5, "sd": 5, "sd_words": 5})


@cache
def _figures() -> pd.DataFrame:
    with resources.files("ralc.data").joinpath("capphrase_audiences.csv").open(encoding="utf-8") as file:
        return pd.read_csv(file)


def audience_names() -> dict[str, list[str]]:
    """What ``audience={variable: group}`` accepts.

    >>> audience_names()["english_background"][0]
    'first_language'
    """
    table = _figures()
    named = table[table["variable"] != "all"]
    return {
        variable: rows["group"].unique().tolist() for variable, rows in named.groupby("variable", sort=False)
    }


def adapt_figures(figures: dict[str, Any], audience: dict[str, str]) -> dict[str, Any]:
    """A reader's figures, moved to where an audience reads the phrases of the study.

    Each phrase gives a difference to all respondents in log-odds, shrunk by its sampling error. A class of cues
    that the study has moves by its phrases' differences; the others, and all expressions with them, move by the
    differences at their place on the scale (a Gaussian window of one unit of log-odds). The spread is
    scaled by the audience's ratio of SDs. Differences of several variables add up (ASSUME no interaction).

    Raises:
        ValueError: an unknown variable or group, or one too small; what there is is named.
    """
    moved = {**figures, "classes": dict(figures["classes"]), "negated": dict(figures["negated"])}
    scale = 1.0
    for variable, group in audience.items():
        places, differences, own, ratio = _differences(variable, group)
        for table in ("classes", "negated"):
            for name, place in moved[table].items():
                nearness = np.exp(-(((places - place) / _WIDTH) ** 2) / 2) + 1e-9
                shift = float(nearness @ differences / nearness.sum())
                moved[table][name] = place + (own.get(name, shift) if table == "classes" else shift)
        scale *= ratio
    spread = figures["spread"]
    moved["spread"] = {**spread, "sd": [value * scale for value in spread["sd"]]}
    return moved


def _differences(variable: str, group: str) -> tuple[np.ndarray, np.ndarray, dict[str, float], float]:
    """(places of the phrases, differences in log-odds, by class of cue, ratio of SDs) of a group to everyone."""
    names = audience_names()
    if variable not in names:
        raise ValueError(f"audience: no variable {variable!r}: choose one of {', '.join(names)}")
    if group not in names[variable]:
        raise ValueError(
            f"audience: {variable} has no group {group!r}: choose one of {', '.join(names[variable])}"
        )
    table = _figures()
    everyone = table[table["group"] == "all"].set_index("phrase")
    rows = (
        table[(table["variable"] == variable) & (table["group"] == group)]
        .set_index("phrase")
        .loc[everyone.index]
    )
    slope = (everyone["mean"] * (1 - everyone["mean"])).to_numpy()
    raw = logit(rows["mean"].to_numpy()) - logit(everyone["mean"].to_numpy())
    noise = rows["sd"].to_numpy() / np.sqrt(rows["n"].to_numpy()) / slope
    signal = max(float(np.mean(raw**2 - noise**2)), 0.0)
    differences = raw * signal / (signal + noise**2)
    own: dict[str, list[float]] = {}
    for phrase, difference in zip(everyone.index, differences, strict=True):
        cues = find_cues(PHRASE_SENTENCES[phrase])
        own.setdefault(cues[0].name if cues else "bare", []).append(float(difference))
    ratio = float(np.exp(np.mean(np.log(rows["sd_words"] / everyone["sd_words"]))))
    return (
        logit(everyone["mean"].to_numpy()),
        differences,
        {k: float(np.mean(v)) for k, v in own.items()},
        ratio,
    )


def audience_differences(variables: Sequence[str] | None = None, *, level: float = 0.95) -> pd.DataFrame:
    """Where audiences read the same phrase differently: every group against the variable's largest group.

    Difference of means with a Welch interval and p-value, Holm-corrected over all phrases and groups of the
    table; scores in [0, 1].

    Returns:
        Columns ``variable, group, versus, phrase, n, mean, mean_versus, difference, ci_low, ci_high, p_value,
        p_holm``, sorted by variable, group and phrase.

    Raises:
        ValueError: an unknown variable.

    >>> table = audience_differences(["english_background"])
    >>> bool((table["p_holm"] >= table["p_value"]).all())
    True
    """
    names = audience_names()
    for variable in variables or ():
        if variable not in names:
            raise ValueError(f"audience: no variable {variable!r}: choose one of {', '.join(names)}")
    figures = _figures()
    tables = [
        _against_largest(figures[figures["variable"] == variable], level) for variable in variables or names
    ]
    table = pd.concat(tables, ignore_index=True)
    return table.assign(p_holm=multipletests(table["p_value"], method="holm")[1])


def _against_largest(rows: pd.DataFrame, level: float) -> pd.DataFrame:
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
    reach = stats.t.ppf((1 + level) / 2, freedom) * error
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
