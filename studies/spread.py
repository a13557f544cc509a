"""How far evaluators disagree: the SD of readings over the scale, and class by class of cue."""

from typing import Any

import numpy as np
import pandas as pd

from ralc.english import read_cues
from ralc.lexicon.expressions import PHRASE_SENTENCES
from studies.latent import CLASSES

GRID = (0.0, 0.02, 0.05, 0.1, 0.2, 0.35, 0.5, 0.65, 0.8, 0.9, 0.95, 0.98, 1.0)
FINEST = 0.02  # nobody's scale is finer
#: Kinds of cues by how far people agree on them: on a number nearly all, on what could be least of all.
GROUPS = {
    "number": ("even", "better_even"),
    "open": ("may", "might", "could", "possible", "conceivable", "realistic", "maybe", "chance"),
    "mind": (
        "believe",
        "think",
        "doubt",
        "opinion",
        "assume",
        "suspect",
        "feeling",
        "seem",
        "lean",
        "presume",
    ),
}
#: Phrases that weigh as much as a group's, or a class's, own in their factors.
GROUP_PRIOR = 1.0
CLASS_PRIOR = 0.25
_GROUP_OF = {name: group for group, names in GROUPS.items() for name in names}


def spread_figures(phrases: pd.DataFrame) -> dict[str, Any]:
    """Return the SD profile through a study's phrases, and a factor for every class of cue.

    The profile is ``sd = c (m (1-m))^p``, fitted by least squares on logarithms, phrases that name a number left out.
    A group's factor is the mean log-ratio of its phrases to the profile, shrunk towards none. A class's is that of its
    own phrases, shrunk towards its group's; a class without a phrase has its group's. A cue that states a number, of
    whatever class ("a 70 % chance", "90 % sure"), has the factor of the numbers. (With one phrase left out at a time,
    spread and its prediction correlate by 0.86, 0.69, 0.61 in three studies. Without groups by 0.46, 0.22, 0.22. The
    groups were made by one who had seen the figures.)

    Parameters
    ----------
    phrases
        Columns ``phrase, mean, sd_words``.
    """
    names = np.array([_main_class(phrase) for phrase in phrases["phrase"]])
    groups = np.array([_group(name) for name in names])
    mean = phrases["mean"].to_numpy()
    place = np.log(mean * (1 - mean))
    sd = np.log(np.maximum(phrases["sd_words"], FINEST).to_numpy())
    plain = groups != "number"
    power, constant = np.polyfit(place[plain], sd[plain], 1)
    ratio = sd - (constant + power * place)
    of_group = {group: _shrunk(ratio[groups == group], 0.0, GROUP_PRIOR) for group in (*GROUPS, "plain")}
    factors = {
        name: _shrunk(ratio[names == name], of_group[_group(name)], CLASS_PRIOR)
        for name in (row["class"] for row in CLASSES)
    }
    profile = [max(np.exp(constant) * max(m * (1 - m), 1e-6) ** power, FINEST) for m in GRID]
    return {
        "mean": list(GRID),
        "sd": [round(float(value), 4) for value in profile],
        "number": round(float(np.exp(of_group["number"])), 3),
        "factors": {name: round(float(np.exp(factor)), 3) for name, factor in factors.items()},
    }


def _shrunk(ratios: np.ndarray, towards: float, prior: float) -> float:
    """The mean of log-ratios, drawn towards a value that weighs as much as `prior` of them."""
    return float((ratios.sum() + prior * towards) / (len(ratios) + prior))


def _group(name: str) -> str:
    return _GROUP_OF.get(name, "plain")


def _main_class(phrase: str) -> str:
    cues = read_cues(PHRASE_SENTENCES[phrase])
    return cues[0].name if cues else "bare"
