"""Audiences: a reader's figures, moved to where a group of respondents reads the same phrases.

The figures of groups of the CAPphrase study's respondents (mean and SD of every phrase) are committed; the
respondents' answers are not.
"""

from functools import cache
from typing import Any

import numpy as np
import pandas as pd
from scipy.special import logit

from ralc import data
from ralc.english.cues import find_cues
from ralc.english.phrases import PHRASE_SENTENCES

_WIDTH = 1.0  # log-odds: how far along the scale a phrase's difference carries to cues without figures


@cache
def load_audiences() -> pd.DataFrame:
    """The committed figures: ``variable, group, phrase, n, mean, sd, sd_words``; ``all`` is everyone."""
    return pd.read_csv(data.path("capphrase_audiences.csv"))


def audience_names() -> dict[str, list[str]]:
    """What ``audience={variable: group}`` accepts.

    >>> audience_names()["english_background"][0]
    'first_language'
    """
    table = load_audiences()
    named = table[table["variable"] != "all"]
    return {
        variable: rows["group"].unique().tolist() for variable, rows in named.groupby("variable", sort=False)
    }


def audience_cues(audience: dict[str, str]) -> pd.DataFrame:
    """The phrases of the study as a group of its respondents reads them: ``expression, mean, sd``, in [0, 1].

    Raises
    ------
    ValueError
        An unknown variable or group (what there is is named), or more than one: nobody was measured as both.

    Examples
    --------
    >>> len(audience_cues({"english_background": "second_language"}))
    19
    """
    if len(audience) != 1:
        raise ValueError(f"audience = {audience}: one variable and group, as nobody was measured as several")
    ((variable, group),) = audience.items()
    return _group(variable, group).rename(columns={"phrase": "expression"})[["expression", "mean", "sd"]]


def adapt_figures(figures: dict[str, Any], audience: dict[str, str]) -> dict[str, Any]:
    """A reader's figures, moved to where an audience reads the phrases of the study.

    Each phrase gives a difference to all respondents in log-odds, shrunk by its sampling error. A class of cues
    that the study has moves by its phrases' differences; the others, and all expressions with them, move by the
    differences at their place on the scale (a Gaussian window of one unit of log-odds). The spread is
    scaled by the audience's ratio of SDs. Differences of several variables add up (ASSUME no interaction).

    Raises
    ------
    ValueError
        An unknown variable or group; what there is is named.
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


def _group(variable: str, group: str) -> pd.DataFrame:
    """The figures of a group."""
    names = audience_names()
    if variable not in names:
        raise ValueError(f"audience: no variable {variable!r}: choose one of {', '.join(names)}")
    if group not in names[variable]:
        raise ValueError(
            f"audience: {variable} has no group {group!r}: choose one of {', '.join(names[variable])}"
        )
    table = load_audiences()
    return table[(table["variable"] == variable) & (table["group"] == group)]


def _differences(variable: str, group: str) -> tuple[np.ndarray, np.ndarray, dict[str, float], float]:
    """(places of the phrases, differences in log-odds, by class of cue, ratio of SDs) of a group to everyone."""
    everyone = load_audiences().query("group == 'all'").set_index("phrase")
    rows = _group(variable, group).set_index("phrase").loc[everyone.index]
    ratio = float(np.exp(np.mean(np.log(rows["sd_words"] / everyone["sd_words"]))))
    texts = [PHRASE_SENTENCES[phrase] for phrase in everyone.index]
    return *_shrunk(
        texts, everyone["mean"].to_numpy(), *(rows[name].to_numpy() for name in ("mean", "sd", "n"))
    ), ratio


def _shrunk(
    texts: list[str], reference: np.ndarray, mean: np.ndarray, sd: np.ndarray, n: np.ndarray
) -> tuple[np.ndarray, np.ndarray, dict[str, float]]:
    """Places of texts, how far a group's means lie from them in log-odds, shrunk by sampling error, by class of cue."""
    raw = logit(mean) - logit(reference)
    noise = sd / np.sqrt(n) / (reference * (1 - reference))
    signal = max(float(np.mean(raw**2 - noise**2)), 0.0)
    differences = raw * signal / (signal + noise**2)
    own: dict[str, list[float]] = {}
    for text, difference in zip(texts, differences, strict=True):
        cues = find_cues(text)
        own.setdefault(cues[0].name if cues else "bare", []).append(float(difference))
    return logit(reference), differences, {name: float(np.mean(found)) for name, found in own.items()}
