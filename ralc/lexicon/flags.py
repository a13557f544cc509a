"""Flags of the lexicon: what is wrong with how an expression is read, and what is said of it."""

from collections.abc import Mapping, Sequence
from functools import cache

import numpy as np
import pandas as pd

from ralc import data
from ralc.english import cue_classes, read_cues
from ralc.evaluators.human_cues import HumanCue, human_cues
from ralc.io.rows import read_rows
from ralc.lexicon.expressions import KINDS, SOURCES
from ralc.lexicon.wording import waits

#: A fitted mean may differ from the sample mean by this much, and lie this far on the other side of the middle
#: from where its wording puts it.
AUDIT_BOUND = 0.1
#: A fitted mean may differ by this much from what people read in the same words, and from an independent evaluator's.
HUMAN_BOUND = 0.15
#: Expressions below which a lexicon is thin: they are a step of .05 of the scale apart, at best.
ENOUGH = 20
#: Kinds, registers and polarities of hedges that a speaker who only knows how sure they are cannot honestly use.
DISHONEST = frozenset({*KINDS, "stiff", "reverses"} - {"confidence"})
#: What the flags of an entry mean, to whoever listed it.
_WHY = {
    "fit": f"the distribution fitted to its readings has a mean more than {AUDIT_BOUND} from theirs",
    "wording": "its words stand on the other side of the middle than its reading",
    "human": f"people who were asked read it otherwise by more than {HUMAN_BOUND}",
    "evaluators": f"another evaluator reads it otherwise by more than {HUMAN_BOUND}",
    "unread": "no evaluator finds in it how sure it sounds",
    "evidential": "it claims evidence, hearsay or memory that nobody has checked",
    "possibility": "it says what could be, and not how sure the speaker is",
    "social": "it says what others think, or an opinion",
    "idiom": "it is a figure of speech",
    "stiff": "it sounds stiff",
    "reverses": "it asserts the opposite of what it is put to",
    "frame": "it waits for a noun, so a sentence with it is broken",
}
_MOST_TOLD = 30  # expressions, in an error


def entry_flags(
    hedge: Mapping[str, str],
    mean: float,
    sample_mean: float,
    *,
    others: Sequence[float] = (),
    letter: bool = False,
) -> str:
    """Return the flags of an expression, joined by ``;``; an entry with any is left out of retrieval.

    They are those of `audit_flags`; ``frame`` where a user's waits for a noun;
    ``evaluators`` where an evaluator apart from the loop reads it otherwise by more than `HUMAN_BOUND` (`others`:
    their mean readings). But by the paper's `letter`, `apart_readings` are among those (but for a user's
    own), and flags are the kind of one that does not speak of the speaker's confidence, ``stiff`` and ``reverses``.
    """
    people = human_reading(hedge["expression"])
    human_mean = people.mean if people else np.nan
    found = audit_flags(hedge["expression"], mean, sample_mean, human_mean=human_mean)
    own = hedge["source"] == "user"
    known = apart_readings() if not (letter or own) else {}
    apart = [*others, known.get(hedge["expression"], mean)]
    found += ["evaluators"] if any(abs(mean - one) > HUMAN_BOUND for one in apart) else []
    found += ["frame"] if own and waits(hedge["expression"]) else []
    if not letter:
        found += [hedge[name] for name in ("kind", "register", "polarity") if hedge[name] in DISHONEST]
    return ";".join(found)


def audit_flags(
    expression: str,
    mean: float,
    sample_mean: float,
    *,
    human_mean: float = np.nan,
) -> list[str]:
    """What is wrong with how an expression is read.

    - ``fit``: the fitted mean differs from the mean of the scores by more than `AUDIT_BOUND` (likelihood fits of
      scores at the ends of the scale do that);
    - ``wording``: its words stand on one side of the middle and its mean on the other, by more than `AUDIT_BOUND`;
    - ``human``: people who were asked about these words read them otherwise, by more than `HUMAN_BOUND`;
    - ``unread``: no cue is found in it, so the cue model takes it for a bare assertion.

    >>> audit_flags("probably not", 0.65, 0.65, human_mean=0.25)
    ['human']
    >>> audit_flags("without a doubt", 0.2, 0.95), audit_flags("perhaps", 0.4, 0.41)
    (['fit', 'wording'], [])
    """
    flags = ["fit"] if abs(mean - sample_mean) > AUDIT_BOUND else []
    if abs(mean - human_mean) > HUMAN_BOUND:
        flags.append("human")
    cues = read_cues(f"{expression} it is so.")
    if not cues:
        return [*flags, "unread"]
    # Of a number it depends on what stands before it ("less than 70 percent") where it puts the hedge.
    priors = [(cue_classes()[cue.name].prior, cue.negated) for cue in cues if cue.number is None]
    place = min((1 - prior if negated else prior for prior, negated in priors), default=0.5)
    low, high = 0.5 - AUDIT_BOUND, 0.5 + AUDIT_BOUND
    wrong_side = (place < low and mean > high) or (place > high and mean < low)
    return [*flags, "wording"] if wrong_side else flags


def human_reading(expression: str) -> HumanCue | None:
    """Return how people read an expression, by the words of its main cue; None where no study has it."""
    whole = expression.lower()
    phrase = whole.removeprefix("it is ").removeprefix("there is ").removeprefix("a ")
    return human_cues().get(whole) or human_cues().get(phrase)


@cache
def apart_readings() -> dict[str, float]:
    """The mean readings of the committed hedges by a model that has no part in any run (`studies.apart`)."""
    rows = read_rows(data.path("hedges_apart.csv"))
    return {cells["expression"]: float(cells["mean"]) for _, _, cells in rows}


def foreseen(expressions: pd.DataFrame, letter: bool = False) -> pd.DataFrame:
    """Return expressions with the ``flags`` that each will have however it is read, by the paper's `letter` or not."""
    rows = expressions.to_dict("records")
    return expressions.assign(flags=[entry_flags(row, np.nan, np.nan, letter=letter) for row in rows])


def remarks(flagged: pd.DataFrame, letter: bool = False) -> list[str]:
    """Return a line for each flagged expression of the run's own; where few are left, of all, and what to do.

    Parameters
    ----------
    flagged
        ``expression, source, frame, flags``: a lexicon, or what is `foreseen` of it.
    letter
        The paper's letter: flagged ones are used, and nothing is said of them.

    Raises
    ------
    ValueError
        If all are flagged, with the reason of each.
    """
    if letter:
        return []
    left, count = int((flagged["flags"] == "").sum()), len(flagged)
    known = flagged["source"].isin(set(SOURCES) - {"user"})
    lost = flagged[(flagged["flags"] != "") & ((left < ENOUGH) | ~known)]
    reasons = {
        row.expression: ", and ".join(map(_WHY.get, row.flags.split(";"))) for row in lost.itertuples()
    }
    advice = (
        "What to do: list expressions of how sure the speaker is (`probably`, `I doubt that`), add ours to your own "
        "(lexicon.extend: true), or ask for more lists (lexicon.lists)"
    )
    if not left:
        told = "; ".join(f"{one!r}: {why}" for one, why in [*reasons.items()][:_MOST_TOLD])
        raise ValueError(f"lexicon: none of its {count} expressions can be used: {told}. {advice}")
    said = [f"hedge {one!r} is left out: {why}" for one, why in reasons.items()]
    return [*said, f"lexicon: {left} of {count} expressions can be used. {advice}"] if left < ENOUGH else said
