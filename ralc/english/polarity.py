"""Yes or no: which of the two an answer gives to a question that asks for one of them."""

import re
from collections.abc import Collection, Iterable
from itertools import pairwise

from ralc.english.alignment import alike
from ralc.english.contractions import in_full
from ralc.english.denials import affirmed_and_denied, clauses
from ralc.english.normalisation import NAMING_WORDS, abstains, sentences, set_of, words
from ralc.english.roles import exchanged

_AUXILIARIES = "is are was were am do does did has have had can could will would shall should may might must"
_VERBS = set_of(_AUXILIARIES)
#: A question that is answered by yes or no: its verb stands first, or it says so.
_ASKS = re.compile(
    rf"(?:^|[,:;.?!]\s+|\b(?:and|but|so)\s+)(?:{'|'.join(_AUXILIARIES.split())})(?:n['’]t)?\s[^.?!]*\?"
    r"|\btrue or false\b|\byes or no\b",
    re.IGNORECASE,
)
_EITHER = re.compile(r"\bor\b", re.IGNORECASE)
_YES = set_of("yes yeah yep yup aye true correct right indeed course affirmative fact")
_NO = set_of(
    "no nope nah false untrue incorrect wrong myth misconception fiction unlikely improbable doubtful doubt impossible"
)
_NOT = set_of("not never hardly neither cannot")
#: What may stand before either, and says neither.
_LEADS = set_of(_AUXILIARIES) | set_of(
    """
        i we you it he she they this that these those there the a an my our answer statement claim question common
        think believe say guess suppose assume bet lean hope feel going go with to be in of at all so well oh hmm ah
        wait sorry actually no-one very quite fairly pretty rather almost most highly really exactly necessarily
        technically eventually generally usually strictly speaking sure confident convinced short probably certainly
        definitely absolutely likely surely surprisingly presumably undoubtedly possibly yet know
        aware perhaps maybe case would totally completely
        """
)
_PRONOUNS = set_of("it he she they this that these those there i we you")
#: What assents by itself: "Definitely."
_ASSENTS = set_of(
    "definitely absolutely certainly probably likely surely sure presumably undoubtedly exactly so"
)
_OPINIONS = set_of("think believe say guess suppose assume hope")
_CERTAINLY = re.compile(
    r"\b(?:there is )?(?:no|without(?: a| any)?|beyond) (?:doubt|question)\b", re.IGNORECASE
)
_TURN = re.compile(r"\b(?:wait|actually|sorry|correction|or rather|on second thoughts?)\b", re.IGNORECASE)
_BOTH = re.compile(r"\b(?:yes and no|no and yes|yes or no)\b", re.IGNORECASE)
#: So few words are a thing and what it may be: who says something else of it says no.
_FEW = 3
_KIND = re.compile(r"\b(?:is|are|was|were)\b[^.?!]*\b(?:a|an)\s", re.IGNORECASE)
_CONTRARY = re.compile(
    r"\b(?:quite the (?:opposite|contrary|reverse)|on the contrary|the other way a?round)\b", re.IGNORECASE
)


def asks_yes_or_no(question: str) -> bool:
    """Return whether a question is answered by yes or no.

    >>> [asks_yes_or_no(text) for text in ("Is it Rome?", "Is it Rome or Bonn?", "True or false: it is Rome.")]
    [True, False, True]
    """
    said = _ASKS.search(question)
    return bool(said) and (not _EITHER.search(question) or " or " in said[0].lower()[:13])


def polarity(text: str, question: str) -> bool | None:
    """Return whether an answer to such a question says yes; None where it says neither, or both.

    >>> [polarity(text, "Can penguins fly?") for text in ("No.", "They can.", "Penguins cannot fly.", "Who knows?")]
    [False, True, False, None]
    """
    if says_both(text) or not (asks_yes_or_no(question) or said_alone(text) is not None):
        return None
    parts = _TURN.split(_CONTRARY.sub("no", _CERTAINLY.sub("yes", in_full(text))))
    return next((said for part in reversed(parts) if (said := _verdict(part, question)) is not None), None)


def says_both(text: str) -> bool:
    """Return whether a text says yes and no at once."""
    return _BOTH.search(text) is not None


def said_alone(text: str) -> bool | None:
    """Return whether a text says yes and nothing else; None where it does not say yes or no alone.

    >>> said_alone("No."), said_alone("True"), said_alone("No, it sank.")
    (False, True, None)
    """
    said = set(words(text))
    return (
        None if not said or not said <= _YES | _NO or said <= {"right", "fact", "course"} else not said <= _NO
    )


def _verdict(text: str, question: str) -> bool | None:
    """What the first sentence says that says either."""
    for sentence in sentences(text):
        for clause, _ in clauses(sentence):
            if words(clause) and not abstains(clause) and (said := _said(clause)) is not None:
                return said
        if not abstains(sentence) and (stated := _stated(sentence, question)) is not None:
            return stated != ("not" in words(question))
    return None


def _said(clause: str) -> bool | None:
    """What a clause says by a word of its own: "I think so", "It is not", "of course"."""
    spoken, denied, assents = words(clause), False, False
    for place, word in enumerate(spoken):
        after = spoken[place + 1 : place + 2]
        if word in _NOT:
            denied = not denied
        elif word in _YES or (word == "so" and place and spoken[place - 1] in _OPINIONS):
            return denied if after == ["not"] else not denied
        elif word in _NO:
            return denied
        elif word not in _LEADS:
            return None
        assents = assents or word in _ASSENTS
    elliptic = any(
        a in _PRONOUNS and b in set_of(_AUXILIARIES)
        for a, b in pairwise(spoken)
        if a != "i" or len(spoken) < 4
    )
    return not denied if spoken and (denied or assents or elliptic) else None


def _stated(sentence: str, question: str) -> bool | None:
    """What a sentence says that states what was asked, denies it, or says something else in its place."""
    asked = [word for word in words(question) if word not in NAMING_WORDS]
    if not asked:
        return None
    affirmed, denied = (set(words(part)) - NAMING_WORDS for part in affirmed_and_denied(sentence))
    if exchanged(sentence, question):
        return "less" in words(sentence)
    if denied:
        return False if _shared(asked[1:] or asked, denied) else None
    if {"than"} <= set(words(sentence)) & set(words(question)) and len(asked) > 1:
        ends = [
            next((at for at, word in enumerate(words(sentence)) if alike(word, key)), None)
            for key in (asked[0], asked[-1])
        ]
        if None not in ends and not _shared(asked[1:-1], affirmed):
            return ends[0] > ends[1]  # "Sound is slower than light" of what is faster
    refers = words(sentence)[:1] and words(sentence)[0] in _PRONOUNS
    asked = asked[1:] if refers else asked
    missing = set(asked) - _shared(asked, affirmed)
    added = affirmed - _shared(affirmed, set(asked))
    if "no" in words(sentence):
        return False if len(missing) < len(asked) else None
    if added and not refers and asked and asked[0] in missing:
        return False if len(missing) < len(asked) else None
    if asked and asked[-1] not in missing and not (missing and added and "than" in words(question)):
        return True
    if len(missing) < len(asked) and not added:
        return True
    another = _KIND.search(question) and _KIND.search(sentence) and len(asked) <= _FEW
    return False if added and missing and another else None


def _shared(some: Iterable[str], others: Collection[str]) -> set[str]:
    """Those of some words that are among others, but for their endings."""
    return {word for word in some if any(alike(word, other) for other in others)}
