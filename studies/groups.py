"""Figures of the groups of the CAPphrase study's respondents."""

import pandas as pd

from ralc.people.persons import phrase_figures
from ralc.people.respondents import MERGED

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
SMALLEST_GROUP = 30  # a group with fewer respondents is not offered: its figures would be noise


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
