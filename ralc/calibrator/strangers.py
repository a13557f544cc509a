"""What the hedges of a stranger's calibrator must be: a few plain words in which a reader finds such a hedge."""

from collections.abc import Sequence
from functools import cache

from ralc.calibrator.saved_calibrator import Entry
from ralc.calibrator.vocabulary import built_in_lexicon
from ralc.lexicon.auditing import HUMAN_BOUND, audit_flags
from ralc.lexicon.proposed import WORDS, guess_polarity

#: Longer ones are sentences of their own.
MOST_WORDS, MOST_LETTERS = 12, 100


def sound(entries: Sequence[Entry], *, honest: bool) -> list[Entry]:
    """Return the entries that can do what hedges do: one with flags that is no hedge is left out, for it is not used.

    Raises
    ------
    ValueError
        If one without flags is no hedge, or, where only `honest` ones are used, turns an answer round; it is named.
    """
    found = {entry.expression: fault(entry, honest=honest) for entry in entries}
    for entry in entries:
        if found[entry.expression] and not entry.flags:
            raise ValueError(f"lexicon: {entry.expression!r:.100} {found[entry.expression]}")
    return [entry for entry in entries if not found[entry.expression]]


def fault(entry: Entry, *, honest: bool) -> str:
    """Return what an entry does that no hedge does; empty where it is one, as all of our own are, read as they are.

    >>> fault(Entry(expression="not", source="", frame="adverb", alpha=7, beta=3, n=1, flags=""), honest=True)
    'is no hedge: no reader finds in it how sure it sounds'
    """
    mean = entry.alpha / (entry.alpha + entry.beta)
    ours = _ours().get(entry.expression)
    if honest and not entry.flags and guess_polarity(entry.expression) == "reverses":
        return "asserts the opposite of what it is put to"
    if ours is not None and abs(mean - ours) <= HUMAN_BOUND:
        return ""
    if not WORDS.fullmatch(entry.expression):
        return "is no hedge: it holds more than words"
    if len(entry.expression) > MOST_LETTERS or len(entry.expression.split()) > MOST_WORDS:
        return f"is no hedge: it has more than {MOST_WORDS} words or {MOST_LETTERS} letters"
    flags = audit_flags(entry.expression, mean, mean)
    if "unread" in flags:
        return "is no hedge: no reader finds in it how sure it sounds"
    return f"says the opposite of its reading, {mean:.2f}" if "wording" in flags and not entry.flags else ""


def foreign(entries: Sequence[Entry]) -> list[str]:
    """Return the expressions that are not among ours."""
    return [entry.expression for entry in entries if entry.expression not in _ours()]


@cache
def _ours() -> dict[str, float]:
    """The mean readings of the committed hedges."""
    lexicon = built_in_lexicon()
    return dict(zip(lexicon.columns["expression"].tolist(), lexicon.confidence.mean.tolist(), strict=True))
