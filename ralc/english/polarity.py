"""Yes or no: which of the two an answer gives to a question that asks for one of them."""

import re
from collections.abc import Collection, Iterable, Sequence
from itertools import pairwise

from ralc.english.alignment import alike
from ralc.english.contractions import in_full
from ralc.english.denials import clauses
from ralc.english.normalisation import abstains, sentences, set_of, words
from ralc.english.statements import Statement, asked, statements

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
    """
        no nope nah none false untrue incorrect wrong myth misconception fiction unlikely improbable doubtful doubt
        impossible
        """
)
#: What says whether a statement holds; yes and no answer the question, however it is put.
_TRUTH = set_of("true correct right indeed exactly false untrue incorrect wrong myth misconception fiction")
#: A question whose answer is yes where the statement asked about does not hold: "Is it false that", "It isn't, is it?"
_FOR_FALSE = re.compile(
    r"\b(?:false|untrue|incorrect|wrong|a myth) that\b|n['’]t\b[^?]*, \w+ (?:it|he|she|they|there|we|you|I)\?",
    re.IGNORECASE,
)
_WITHIN = re.compile(r"\bthat\b|\btrue or false\b", re.IGNORECASE)
_NOT = set_of("not never hardly neither cannot")
_PRONOUNS = set_of("it he she they this that these those there i we you")
#: What assents by itself: "Definitely."
_ASSENTS = set_of(
    "definitely absolutely certainly probably likely surely sure presumably undoubtedly exactly so"
)
_OPINIONS = set_of("think believe say guess suppose assume hope")
#: What may stand before either, and says neither.
_LEADS = (_PRONOUNS | _ASSENTS | _OPINIONS | set_of(_AUXILIARIES)) | set_of(
    """
    my our answer statement claim question common bet lean feel going go with to be in of at all well oh hmm ah wait
    sorry actually very quite fairly pretty rather almost most highly really necessarily technically eventually
    generally usually strictly speaking confident convinced short surprisingly possibly yet know aware perhaps maybe
    case would totally completely every everyone everything always both each any them
    """
)
_TURN = re.compile(r"\b(?:wait|actually|sorry|correction|or rather|on second thoughts?)\b", re.IGNORECASE)
_BOTH = re.compile(r"\b(?:yes and no|no and yes|yes or no)\b", re.IGNORECASE)
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
    parts = _TURN.split(_CONTRARY.sub("no", in_full(text)))
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
                return said != bool(_FOR_FALSE.search(question) and not _TRUTH.isdisjoint(words(clause)))
        if not abstains(sentence) and (stated := _stated(sentence, question)) is not None:
            return stated
    return None


def _said(clause: str) -> bool | None:
    """What a clause says by a word of its own: "I think so", "It is not", "of course"."""
    spoken, denied = words(clause), False
    if _counts(spoken):
        return None
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


def _counts(spoken: Sequence[str]) -> bool:
    """Whether "no" says how many, in a clause with a verb: "It has no backbone"."""
    follows = any(a == "no" and b not in _LEADS for a, b in pairwise(spoken))
    return follows and not _VERBS.isdisjoint(spoken)


def _stated(sentence: str, question: str) -> bool | None:
    """What a sentence says that states what was asked, denies it, or says something else in its place."""
    about = asked(in_full(question))
    if about is None:
        return None
    found = (_answered(said, about) for said in statements(sentence))
    answer = next((one for one in found if one is not None), None)
    within = about.denied and _WITHIN.search(question)  # "Is it true that it is not Rome?"
    return answer if answer is None else answer != bool(within)


def _answered(said: Statement, about: Statement) -> bool | None:
    """What a statement says of the one that was asked about.

    It says the same where it repeats the other's predicate, or leaves it out, of the same subject; no where it does
    so of another subject, denies it, or says another thing of the same sort in its place: another noun, adjective or
    number. A comparison says the same where both its sides and its adjective are exchanged.
    """
    own = not said.subject or bool(_shared(said.subject, about.subject))
    if not own and _shared(said.subject, about.predicate):
        return _turned(said, about)
    repeated = _repeats(said, about)
    if said.denied:
        return False if own and (repeated or _shared(said.predicate, about.predicate)) else None
    if repeated:
        return own and not _differs(said, about)
    return False if own and said.sort == about.sort and said.sort != "verb" else None


def _repeats(said: Statement, about: Statement) -> bool:
    """Whether a predicate is another's: by its head, by all the rest with another verb, or because it is left out."""
    rest = about.predicate - {about.head}
    heads = _shared({said.head} - {""}, about.predicate) or _shared({about.head}, said.predicate)
    of_verb = said.sort == "verb" and bool(rest) and rest == _shared(rest, said.predicate)
    return not said.predicate or bool(heads) or of_verb


def _turned(said: Statement, about: Statement) -> bool | None:
    """What a statement says of the one that was asked whose predicate is its subject."""
    if said.more and about.more:
        less = ("less" in said.predicate) != ("less" in about.predicate)
        return (said.denied != less) == bool(_shared({said.head}, {about.head}))
    if said.sort != "attr":
        return said.denied if _shared(said.predicate, about.subject) else None
    if _shared(said.predicate, about.subject):
        return not said.denied
    return False if not said.denied and _shared({about.head}, said.subject) else None


def _differs(said: Statement, about: Statement) -> bool:
    """Whether a noun is said to be of another kind or number than was asked: "a natural language", "365 days"."""
    return bool(said.kind - _shared(said.kind, about.kind) and about.kind - _shared(about.kind, said.kind))


def _shared(some: Iterable[str], others: Collection[str]) -> set[str]:
    """Those of some words that are among others, but for their endings."""
    return {word for word in some if any(alike(word, other) for other in others)}
