"""Yes or no: which of the two an answer gives to a question that asks for one of them; and who did what to whom."""

import re
from collections.abc import Collection, Iterable, Sequence
from functools import lru_cache
from itertools import pairwise

from ralc.english.abstention import abstains
from ralc.english.contractions import in_full
from ralc.english.negation import affirmed_and_denied, clauses
from ralc.english.normalisation import NAMING_WORDS, plain, sentences, set_of, tokens, words
from ralc.english.parse import SUBJECTS, parse
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
#: A question whose answer is yes where the statement asked about does not hold: "Is it false that", "It isn't, is it?"
_FOR_FALSE = re.compile(
    r"\b(?:false|untrue|incorrect|wrong|a myth) that\b|n['’]t\b[^?]*, \w+ (?:it|he|she|they|there|we|you|I)\?",
    re.IGNORECASE,
)
_NOT = set_of("not never hardly neither cannot")
_PRONOUNS = set_of("it he she they this that these those there i we you")
_IS = re.compile(r"\b(?:is|are|was|were)\b|['’]s\b", re.IGNORECASE)
#: What holds in both directions: "Spain borders Portugal".
_BE = set_of("is are was were")
_MUTUAL = set_of("border borders equal equals marry married meet met match matches touch touches drew tied")
_LONGEST = 9  # words that say something, of a statement that is compared
_DENIED_WITHIN = re.compile(r"\b(?:that|false)\b.*\bnot\b", re.IGNORECASE)
_STANDINS = set_of("it so them him her that one ones this these those")
#: What says what something is, or does.
_HEADS = (("attr", "acomp"), ("ROOT",), ("dobj", "pobj"))
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


def asks_yes_or_no(question: str) -> bool:
    """Return whether a question is answered by yes or no.

    >>> [asks_yes_or_no(text) for text in ("Is it Rome?", "Is it Rome or Bonn?", "True or false: it is Rome.")]
    [True, False, True]
    """
    said = _ASKS.search(question)
    return bool(said) and ("or" not in words(question) or " or " in said[0].lower()[:13])


def polarity(text: str, question: str) -> bool | None:
    """Return whether an answer to such a question says yes; None where it says neither, or both.

    >>> [polarity(text, "Can penguins fly?") for text in ("No.", "They can.", "Penguins cannot fly.", "Who knows?")]
    [False, True, False, None]
    """
    if says_both(text) or not (asks_yes_or_no(question) or said_alone(text) is not None):
        return None
    parts = _TURN.split(in_full(text))
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
    """Return what a sentence says that states what was asked, denies it, or says something else in its place.

    It says the same where it affirms what was asked of the same subject; no where it denies that, says it of another
    subject, exchanges both, or says that the subject is something else.
    """
    subject, head, predicate = _asked(in_full(question))
    if not predicate:
        return None
    affirmed, denied = map(_content, affirmed_and_denied(sentence))
    own = bool(_shared(subject, affirmed | denied)) or not _PRONOUNS.isdisjoint(words(sentence)[:2])
    no = _DENIED_WITHIN.search(in_full(question)) is not None
    said = _shared(predicate, affirmed)
    if own and _shared(predicate, denied):
        return no
    if exchanged(sentence, question):
        return no
    if _shared({head}, said) or 2 * len(said) >= len(predicate):
        return own != no
    other = own and affirmed - subject - said and (not said or head)
    return no if other and _IS.search(question) and _IS.search(sentence) else None


@lru_cache(maxsize=1000)
def _asked(question: str) -> tuple[frozenset[str], str, frozenset[str]]:
    """Return the words of a question for what it asks about, and for what it asks of it, with the head of these."""
    spoken = parse(question.replace(" not ", " "))
    subject = next((token for token in spoken if token.dep_ in SUBJECTS and _content(token.text)), None)
    named = (
        _content(" ".join(token.text for token in subject.subtree)) if subject is not None else frozenset()
    )
    predicate = _content(question) - named
    if not named or not predicate:  # the parser errs
        named = next((word for token in spoken if (word := _content(token.text))), named)
        predicate = _content(question) - named
    heads = (token for kind in _HEADS for token in spoken if token.dep_ in kind)
    return named, next((word for token in heads if (word := plain(token.text)) in predicate), ""), predicate


def _content(text: str) -> frozenset[str]:
    """Return the words of a text that say something."""
    return frozenset(map(plain, tokens(text))) - NAMING_WORDS - _NOT - _TRUTH - _STANDINS


def _shared(some: Iterable[str], others: Collection[str]) -> set[str]:
    """Return those of some words that are among others, but for their endings."""
    return {word for word in some if any(alike(word, other) for other in others)}


def exchanged(one: str, other: str) -> bool:
    """Return whether two statements put the same two things on opposite sides of the same verb or comparison.

    >>> exchanged("Germany beat Argentina.", "Argentina beat Germany.")
    True
    >>> exchanged("Germany beat Argentina.", "Argentina was beaten by Germany.")
    False
    """
    said, compared = (_in_order(text) for text in (one, other))
    if max(len(said), len(compared)) > _LONGEST or any(map(_equates, (one, other))):
        return False
    for place, word in enumerate(said):
        at = next((at for at, known in enumerate(compared) if alike(plain(known), plain(word))), None)
        if at is None or word[0].isupper() or word in _MUTUAL:
            continue
        left, right = (frozenset(map(plain, part)) for part in (compared[:at], compared[at + 1 :]))
        if ("by" in words(one)) != ("by" in words(other)):
            left, right = right, left
        before, after = (frozenset(map(plain, part)) for part in (said[:place], said[place + 1 :]))
        if before & right and after & left and not (before & left or after & right):
            return True
    return False


def _equates(text: str) -> bool:
    """Return whether a text says what something is, which holds in both directions, or lists things."""
    spoken = set(words(text))
    return ("," in text or "and" in spoken or not _BE.isdisjoint(spoken)) and spoken.isdisjoint(
        {"by", "than"}
    )


def _in_order(text: str) -> list[str]:
    """Return the words of a text that say something, as they are written."""
    return [word for word in tokens(text) if plain(word) not in NAMING_WORDS]
