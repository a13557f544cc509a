"""Which of a run's own hedges cannot be used, and why, and whether enough are left: said before anything is spent."""

import numpy as np
import pandas as pd

from ralc.english.frames import places
from ralc.lexicon.auditing import AUDIT_BOUND, DISHONEST, HUMAN_BOUND, entry_flags
from ralc.lexicon.committed import SOURCES

#: Expressions below which a lexicon is thin: they are a step of .05 of the scale apart, at best.
ENOUGH = 20
#: What the flags of an entry mean (`ralc.lexicon.auditing`), to whoever listed it.
_WHY = {
    "fit": f"the distribution fitted to its readings has a mean more than {AUDIT_BOUND} from theirs",
    "wording": "its words stand on the other side of the middle than its reading",
    "human": f"people who were asked read it otherwise by more than {HUMAN_BOUND}",
    "readers": f"another reader reads it otherwise by more than {HUMAN_BOUND}",
    "unread": "no reader finds in it how sure it sounds",
    "evidential": "it claims evidence, hearsay or memory that nobody has checked",
    "possibility": "it says what could be, and not how sure the speaker is",
    "social": "it says what others think, or an opinion",
    "idiom": "it is a figure of speech",
    "stiff": "it sounds stiff",
    "reverses": "it asserts the opposite of what it is put to",
}
_SHOWN = "The patient has pneumonia."
_MOST_TOLD = 30  # expressions, in an error


def foreseen(expressions: pd.DataFrame, hedges: str = "honest") -> pd.DataFrame:
    """Return expressions with the ``flags`` that each will have however it is read, by the protocol's ``hedges``."""
    rows = expressions.to_dict("records")
    return expressions.assign(flags=[entry_flags(row, np.nan, np.nan, which=hedges) for row in rows])


def remarks(flagged: pd.DataFrame, flagged_hedges: str = "left_out") -> list[str]:
    """Return a line for each flagged expression of the run's own; where few are left, of all, and what to do.

    Parameters
    ----------
    flagged
        ``expression, source, frame, flags``: a lexicon, or what is `foreseen` of it.
    flagged_hedges
        What becomes of flagged ones, by the protocol: nothing is said of those that are ``used``.

    Raises
    ------
    ValueError
        If all are flagged, with the reason of each.
    """
    if flagged_hedges == "used":
        return []
    left, all_of_them = int((flagged["flags"] == "").sum()), len(flagged)
    if not left:
        told = "; ".join(f"{row.expression!r}: {_why(row)}" for row in flagged.head(_MOST_TOLD).itertuples())
        more = f"; and {all_of_them - _MOST_TOLD} more" if all_of_them > _MOST_TOLD else ""
        raise ValueError(
            f"lexicon: none of its {all_of_them} expressions can be used: {told}{more}. {_what_to_do(flagged)}"
        )
    own = left < ENOUGH or ~flagged["source"].isin(set(SOURCES) - {"user"})
    lost = flagged[(flagged["flags"] != "") & own]
    said = [f"hedge {row.expression!r} is left out: {_why(row)}" for row in lost.itertuples()]
    if left < ENOUGH:
        few = f"lexicon: {left} of {all_of_them} expressions can be used, and what is meant may be far from all of them"
        said.append(f"{few}. {_what_to_do(flagged)}")
    return said


def _why(row) -> str:
    """Why an entry is left out, by its flags."""
    made = f"as {row.frame} it makes {places(row.expression, row.frame, _SHOWN)[0].text!r}"
    return ", and ".join({**_WHY, "frame": made}[flag] for flag in row.flags.split(";"))


def _what_to_do(flagged: pd.DataFrame) -> str:
    """What gives a lexicon more entries."""
    told = ["list expressions of how sure the speaker is (`probably`, `I doubt that`)"]
    sourced = set(flagged["source"]) - set(SOURCES)
    told.append(
        "ask for more lists (lexicon.lists) or other models (lexicon.sources)"
        if sourced
        else "add ours to your own (lexicon.extend: true)"
    )
    if DISHONEST & set(";".join(flagged["flags"]).split(";")):
        told.append("or use hedges of every kind (choices: {hedges: all})")
    return f"What to do: {', '.join(told)}"
