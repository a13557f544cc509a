"""The calibration maps: what each was fitted on, its slope, and what is odd about it."""

import pandas as pd

from ralc.conditions import DEFAULT
from ralc.results.select import values

SHOWN = ["slope", "intercept", "base_rate", "left_out", "n"]
#: What a reader is told of each flag of a map (`ralc.calibration`).
FLAGS = {
    "few_items": "fewer than 50 train answers",
    "one_class": "all train answers right, or all wrong",
    "separation": "a threshold tells right from wrong without error",
    "unidentified_slope": "the data do not tell the slope",
    "negative_slope": "the more confident, the less often right",
    "flat": "the same for every answer",
    "base_rate": "not used: the train base rate stands in",
}


def maps(maps: pd.DataFrame) -> pd.DataFrame:
    """Every map that the run's confidences rest on, with its flags.

    Parameters
    ----------
    maps
        The maps table (`ralc.pipeline.fitted_maps.listed`).

    Returns
    -------
    DataFrame, one row a (target, dataset, signal, map, flags), columns (quantity, part); the default variant of the
    run's own protocol.
    """
    own = maps[(maps["variant"] == DEFAULT) & (maps["protocol"] == maps["protocol"].iloc[0])]
    told = own.assign(flags=own["flags"].map(_told))
    table = told.set_index(["target", "dataset", "signal", "map", "flags"])[SHOWN].astype("float64")
    table = values(table)
    table.attrs = {"title": "The calibration maps", "notes": _notes(own)}
    return table


def _told(flags: str) -> str:
    return "; ".join(FLAGS[flag] for flag in flags.split(", ")) if flags else "none"


def _notes(own: pd.DataFrame) -> list[str]:
    """How many maps have each flag."""
    counts = own["flags"][own["flags"] != ""].str.split(", ").explode().value_counts()
    flagged = [f"{FLAGS[flag]}: {count} of {len(own)}" for flag, count in counts.items()]
    return [
        f"Of the {len(own)} maps: {'; '.join(flagged)}."
        if flagged
        else f"None of the {len(own)} maps is flagged.",
        "Train answers without a grade or without the signal are left out. Slope and intercept are those of the "
        "logit of the mean; maps of another kind have none. Base rate: what a map is that is not used.",
    ]
