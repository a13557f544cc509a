"""Yes or no: which of the two an answer gives to a question that asks for one of them."""

import re
from collections.abc import Sequence
from itertools import pairwise

from ralc.english.abstention import abstains
from ralc.english.contractions import in_full
from ralc.english.negation import affirmed_and_denied, clauses
from ralc.english.normalisation import NAMING_WORDS, plain, sentences, set_of, tokens, words
from ralc.english.relevance import alike

_AUXILIARIES = "is are was were am do does did has have had can could will would shall should may might must"
_VERBS = set_of(_AUXILIARIES)
#: A question that is answered by yes or no: its verb stands first, or it says so.
_ASKS = re.compile(
    rf"(?:^|[,:;.?!]\s+|\b(?:and|but|so)\s+)(?:{'|'.join(_AUXILIARIES.split())})(?:n['’]t)?\s[^.?!]*\?"
    r"|\btrue or false\b|\byes or no\b",
    re.IGNORECASE,
)
_YES = set_of("yes yeah yep yup aye true correct right indeed course affirmative fact")
_NO = set_of(
    "no nope nah none false untrue incorrect wrong myth fiction unlikely improbable doubtful doubt impossible"
)
#: What says whether a statement holds; yes and no answer the question, however it is put.
_TRUTH = set_of("true correct right indeed exactly false untrue incorrect wrong myth misconception fiction")
#: A question whose answer is yes where the statement asked about does not hold: "Is it false that ...?"
_FOR_FALSE = re.compile(r"\b(?:false|untrue|incorrect|wrong|a myth) that\b", re.IGNORECASE)
_NOT = set_of("not never hardly neither cannot")
_PRONOUNS = set_of("it he she they this that these those there i we you")
#: What assents by itself: "Definitely."
_ASSENTS = set_of(
    "definitely absolutely certainly probably likely surely sure presumably undoubtedly exactly so"
)
_OPINIONS = set_of("think believe say guess suppose assume hope")
#: What may stand before either, and says neither.
_LEADS = (_PRONOUNS | _ASSENTS | _OPINIONS | _VERBS) | set_of(
    """
    my our answer statement claim question common bet lean feel going go with to be in of at all well oh hmm ah wait
    sorry actually very quite fairly pretty rather almost most highly really necessarily generally usually strictly
    speaking confident convinced short surprisingly possibly yet know aware perhaps maybe case would totally
    completely every everyone everything always both each any them
    """
)
_TURN = re.compile(r"\b(?:wait|actually|sorry|correction|or rather|on second thoughts?)\b", re.IGNORECASE)


def asks_yes_or_no(question: str) -> bool:
    """Return whether a question is answered by yes or no.

    >>> [asks_yes_or_no(text) for text in ("Is it Rome?", "Is it Rome or Bonn?", "True or false: it is Rome.")]
    [True, False, True]
    """
    said = _ASKS.search(question)
    return bool(said) and ("or" not in words(question) or " or " in said[0].lower()[:13])


def polarity(text: str, question: str) -> bool | None:
    """Return whether an answer to such a question says yes; None where it says neither.

    >>> [polarity(text, "Can penguins fly?") for text in ("No.", "They can.", "Penguins cannot fly.", "Who knows?")]
    [False, True, False, None]
    """
    if not (asks_yes_or_no(question) or said_alone(text) is not None):
        return None
    parts = _TURN.split(in_full(text))
    return next((said for part in reversed(parts) if (said := _verdict(part, question)) is not None), None)


def said_alone(text: str) -> bool | None:
    """Return whether a text says yes and nothing else; None where it does not say yes or no alone.

    >>> said_alone("No."), said_alone("True"), said_alone("No, it sank.")
    (False, True, None)
    """
    said = set(words(text))
    if not said or not said <= _YES | _NO or said <= {"right", "fact", "course"}:
        return None
    return not said <= _NO


def _verdict(text: str, question: str) -> bool | None:
    """What the first sentence says that says either."""
    for sentence in sentences(text):
        for clause, _ in clauses(sentence):
            if words(clause) and not abstains(clause) and (said := _said(clause)) is not None:
                return said != bool(_FOR_FALSE.search(question) and not _TRUTH.isdisjoint(words(clause)))
        if not abstains(sentence) and (stated := _stated(sentence, question)) is not None:
            return stated
    return None


def _said(clause: str) -> bool | None:
    """What a clause says by a word of its own: "I think so", "It is not", "of course"."""
    spoken, denied = words(clause), False
    for place, word in enumerate(spoken):
        if word in _NOT:
            denied = not denied
        elif word in _YES or (word == "so" and place and spoken[place - 1] in _OPINIONS):
            return denied == (spoken[place + 1 : place + 2] == ["not"])
        elif word in _NO:
            return denied
        elif word not in _LEADS:
            return None
    assents = denied or _is_elliptic(spoken) or not _ASSENTS.isdisjoint(spoken)
    return not denied if assents else None


def _is_elliptic(spoken: Sequence[str]) -> bool:
    """Whether a clause leaves out what it says of its subject: "It is"."""
    return any(a in _PRONOUNS and b in _VERBS for a, b in pairwise(spoken) if a != "i" or len(spoken) < 4)


def _stated(sentence: str, question: str) -> bool | None:
    """Whether a sentence repeats half of what was asked; not where it denies a word of it."""
    asked = _content(question)
    affirmed, denied = (
        {key for key in asked if any(alike(word, key) for word in _content(part))}
        for part in affirmed_and_denied(sentence)
    )
    no = " not " in in_full(question)
    if denied:
        return no
    return not no if 2 * len(affirmed) > len(asked) else None


def _content(text: str) -> frozenset[str]:
    """The words of a text that say something."""
    return frozenset(map(plain, tokens(text))) - NAMING_WORDS - _NOT - _TRUTH
