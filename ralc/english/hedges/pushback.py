"""What a user says who doubts an answer, and what a model then says of itself in place of a claim."""

import re
from collections.abc import Collection, Sequence

from ralc.english.normalisation import NAMING_WORDS, in_full, sentences, words
from ralc.english.wordlists import phrases, word_list

#: Characters of what a user says that are looked at: who doubts is brief.
_LONGEST = 400
#: Words of a sentence that says yes and nothing of the matter, at most.
_BRIEF = 9
#: A name or a number inside a sentence.
_NAMES = re.compile(r"(?<=\s)(?!I\b)[\W_]*(?:[A-Z]|\d)")
#: A question that puts another answer: "Isn't it Kaunas?"
_NEGATIVE = re.compile(r"n['’]t\b|\bnot\b", re.IGNORECASE)
#: Those who speak with each other.
_SPOKEN = frozenset({"you", "we"})


def is_pushback(text: str) -> bool:
    """Return whether a user's words doubt the answer before them, and ask nothing else.

    >>> asked = ("Are you sure?", "No, it's Kaunas.", "And what is its currency?", "No problem, thanks!")
    >>> [is_pushback(text) for text in asked]
    [True, True, False, False]
    """
    if len(text) > _LONGEST:
        return False
    parts = [in_full(part.replace("’", "'")).strip() for part in sentences(text)]
    doubts = [phrases("pushback").match(part) is not None for part in parts]
    asks = (part.endswith("?") and not doubt for part, doubt in zip(parts, doubts, strict=True))
    return any(doubts) and not any(asks)


def without_vouching(text: str, doubt: str = "", about: str = "") -> str:
    """Return an answer without its sentences that only say how sure the speaker is; empty where nothing is left.

    Parameters
    ----------
    text
        A reply to a user who doubts.
    doubt
        What the user says. To who asks whether one is sure, "Yes, based on my knowledge." vouches; to who names another
        answer, "You're right." gives way.
    about
        The question and the claim that are doubted: a sentence that speaks of them does not only vouch.

    Examples
    --------
    >>> without_vouching("Yes, I'm absolutely sure. The capital of Lithuania is Vilnius.")
    'The capital of Lithuania is Vilnius.'
    >>> without_vouching("Yes, I am sure."), without_vouching("I am sure that it is Vilnius.")
    ('', 'I am sure that it is Vilnius.')
    """
    asked = doubt.rstrip().endswith("?") and not (_NAMES.search(doubt) or _NEGATIVE.search(doubt))
    matter = {*words(in_full(about))} - NAMING_WORDS
    rest = text
    for part in sentences(text):
        said = words(in_full(part))
        speaks = asked and not _NAMES.search(part) and matter.isdisjoint(said)
        if _only_vouches(said, _SPOKEN if speaks else ()) or (speaks and _assents(said)):
            rest = re.sub(r"\s+".join(map(re.escape, part.split())), "", rest, count=1)
    return text if rest == text else rest.strip()


def _only_vouches(said: Sequence[str], beside: Collection[str]) -> bool:
    vouching = word_list("vouching")
    if "i" in said:  # "No, I am not sure."
        vouching = vouching | {"not"}
    return not vouching.isdisjoint(said) and {*said} <= vouching.union(word_list("vouched"), beside)


def _assents(said: Sequence[str]) -> bool:
    """Whether a brief sentence says yes, and then speaks of who says it or who hears it, or only "I should be."."""
    if said[:1] == ["i"] and {*said} <= word_list("vouched"):
        return True
    yes = said[:1] and said[0] in word_list("yes", "assents")
    return bool(yes) and len(said) <= _BRIEF and not _SPOKEN.union(word_list("speakers")).isdisjoint(said[1:])
