"""The lexicon entry by entry: how each expression is read by the evaluator, and by people where a study has it."""

import numpy as np
import pandas as pd

from ralc.beta import Beta
from ralc.lexicon import Lexicon
from ralc.lexicon.table import WIDEST_GAP


def lexicon_entries(lexicon: pd.DataFrame, *, flagged_hedges: str = "left_out") -> pd.DataFrame:
    """Every expression by its mean, with people's reading beside it; flags and gaps stand in the notes.

    Parameters
    ----------
    lexicon
        The fitted lexicon (`ralc.lexicon.fit_lexicon`).
    flagged_hedges
        The protocol's choice, whether those are ``left_out`` or ``used``.

    Returns
    -------
    DataFrame, one row an (expression, source, frame, flags), columns (quantity, part), the surest first.
    """
    entries = Lexicon(lexicon)
    used = Lexicon(lexicon.assign(flags="")) if flagged_hedges == "used" else entries
    confidence = entries.confidence
    rows = entries.table.assign(flags=entries.table["flags"].replace("", "none"))
    columns = {
        "reading": confidence.mean,
        "reading_sd": np.sqrt(confidence.variance),
        "concentration": confidence.concentration,
        "n": rows["n"],
        "human_mean": rows["human_mean"],
        "human_sd": rows["human_sd"],
        "human_n": rows["human_n"],
    }
    table = pd.DataFrame(
        {(name, "value"): pd.Series(values).astype("float64") for name, values in columns.items()}
    )
    table.columns = table.columns.set_names(["quantity", "part"])
    table.index = pd.MultiIndex.from_frame(rows[["expression", "source", "frame", "flags"]])
    table = table.sort_values(("reading", "value"), ascending=False, kind="stable")
    table.attrs = {
        "title": "The lexicon",
        "notes": [_flagged(rows, flagged_hedges), _gaps(used), _beside_people(rows, confidence)],
    }
    return table


def _flagged(rows: pd.DataFrame, flagged_hedges: str) -> str:
    fate = "used like the others" if flagged_hedges == "used" else "left out of retrieval"
    flagged = (rows["flags"] != "none").sum()
    return (
        f"Flagged: {flagged} of {len(rows)} entries ({flagged / len(rows):.1%}); they are {fate}. "
        "fit: the fitted mean is more than 0.1 from the mean of the scores; wording: it lies on the other side of "
        "the middle than the words; unread: no cue is found in the words; human, readers: people who were asked, or "
        "a reader apart from the loop, read it otherwise by more than 0.15; evidential, possibility, social, idiom, "
        "stiff, reverses: it says something else than how sure the speaker is."
    )


def _gaps(entries: Lexicon) -> str:
    if (entries.table["flags"] != "").all():
        return "Every entry is flagged: nothing can be retrieved."
    gaps = entries.gaps()
    if gaps.empty:
        return f"No stretch of the scale wider than {WIDEST_GAP} lacks an entry that is used."
    stretches = ", ".join(f"{row.low:.3f} to {row.high:.3f}" for row in gaps.itertuples())
    return f"Stretches of the scale wider than {WIDEST_GAP} without an entry that is used: {stretches}."


def _beside_people(rows: pd.DataFrame, confidence: Beta) -> str:
    known = rows["human_mean"].notna().to_numpy()
    if not known.any():
        return "No study has any of these expressions."
    error = np.abs(confidence.mean[known] - rows["human_mean"].to_numpy(float)[known]).mean()
    return (
        f"People: a study has {known.sum()} of the expressions; there the reading differs from people's mean by "
        f"{error:.3f} on average. The evaluator may have been fitted on the same studies, so this is no test of it. "
        "Figures from single sentences of Tao et al. are band-filtered: their SD is too small."
    )
