"""How far readers disagree: the SD of readings over the scale, and cue by cue where a study has the phrase."""

from typing import Any

import numpy as np
import pandas as pd

from ralc.english.cues import find_cues
from ralc.english.phrases import PHRASE_SENTENCES

GRID = (0.0, 0.02, 0.05, 0.1, 0.2, 0.35, 0.5, 0.65, 0.8, 0.9, 0.95, 0.98, 1.0)
#: Phrases that name a number: people agree on them far more than on their neighbours.
NUMBER_LIKE = frozenset({"even", "better_even"})


def spread_figures(phrases: pd.DataFrame) -> dict[str, Any]:
    """The SD profile through a study's phrases, and a factor for every class of cue that the study has.

    The profile is ``sd = c (m (1-m))^p``, fitted by least squares on logarithms, phrases that name a number
    left out. A cue class of the study gets the ratio of its phrases' SD to the profile (geometric mean);
    classes that the study lacks have factor 1 (ASSUME).

    Parameters
    ----------
    phrases
        Columns ``phrase, mean, sd_words``.
    """
    names = [_main_class(phrase) for phrase in phrases["phrase"]]
    mean, sd = phrases["mean"].to_numpy(), phrases["sd_words"].to_numpy()
    plain = np.array([name not in NUMBER_LIKE for name in names])
    power, constant = np.polyfit(np.log(mean * (1 - mean))[plain], np.log(sd)[plain], 1)
    # PAPER appendix A.1.1 has no disagreement without variance; nobody's scale is finer than about 0.02.
    profile = [float(max(np.exp(constant) * max(m * (1 - m), 1e-6) ** power, 0.02)) for m in GRID]
    ratios = pd.Series(np.log(sd / np.interp(mean, GRID, profile))).groupby(names).mean()
    return {
        "mean": list(GRID),
        "sd": [round(value, 4) for value in profile],
        "factors": {str(name): round(float(np.exp(ratio)), 3) for name, ratio in ratios.items()},
    }


def _main_class(phrase: str) -> str:
    cues = find_cues(PHRASE_SENTENCES[phrase])
    return cues[0].name if cues else "bare"
