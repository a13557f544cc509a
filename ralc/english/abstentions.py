"""Whether what a text says is missing from the background is what was asked."""

import re
from collections.abc import Collection, Iterable

from ralc.english.alignment import alike, key_words
from ralc.english.denials import clauses
from ralc.english.normalisation import (
    IDLE_WORDS,
    NAMING_WORDS,
    denies_background,
    plain,
    set_of,
    tokens,
    words,
)

#: Words of the denial itself.
_DENIAL_WORDS = set_of(
    """
    background passage text context paragraph article information detail details mention mentions mentioned say says
    said state states stated contain contains contained any answers question specify specifies specified provide
    provides provided give gives given include includes included indicate indicates indicated reveal tell tells told
    know known enough available determine determined found find name names named nothing anything
    saying stating mentioning providing telling describing giving specifying
    above following detailed list leaves leave left open silent lack lacks omits
    figure figures data number word reference relevant related regarding concerning topic
    able unable possible impossible clear definitive particular based part somewhere
    cant couldnt doesnt dont isnt didnt many title sufficient insufficient unanswerable
    specific us need needed exact anywhere all
    established disclose disclosed revealed unmentioned unstated unspecified basis present
    """
)
_ADVERB = re.compile(r"[a-z]+ly|first|also|never|always|often|already|only|still|just")
#: Ways to ask for one thing.
_SYNONYMS = (
    frozenset({"population", "people", "inhabitants", "live", "residents"}),
    frozenset({"location", "located", "where", "country", "continent", "place"}),
    frozenset({"age", "old", "born", "birth"}),
    frozenset({"date", "when", "year", "time"}),
    frozenset({"area", "size", "large", "big"}),
    frozenset({"height", "tall", "high"}),
    frozenset({"reason", "why", "cause"}),
    frozenset({"cost", "price", "much", "paid", "pay", "worth"}),
)
# What the background does not do to something, whatever it is.
_DENIED = re.compile(r"\b(?:do|does|did)(?:\snot|n['’]t)\s(?:\w+ly\s)?(\w+)(?=\s+\w)")
# What is left out beside what is given: "but not its population".
_BARE_NEGATION = re.compile(
    r"\s*(?:(?:but|though|and|yet)\s+)?(?:there (?:is|are|was|were)\s+)?(?:not|no|nothing|nor)\b(?=\s+\w)"
    r"|.*\bnothing (?:on|about)\b",
    re.IGNORECASE,
)
# What is not told, or cannot be found.
_LACK = re.compile(
    r"\b(?:not|no|never|nothing|nowhere|none|nobody|neither|cannot|without)\b.{0,80}?"
    r"\b(?:say|said|state|mention|tell|told|name|give|specif(?:y|ied|ies)|provid|reveal|indicate|find|found"
    r"|comes? up|work(?:ed)? out|learn|word|record|cover|address|explain|answer|clue|hint|establish|determin|disclos)"
    r"|\b(?:left out|missing|absent|omit\w*|lack\w*|silent|un(?:stated|specified|answered|mentioned|known|recorded))\b",
    re.IGNORECASE,
)
_REASON = re.compile(r"\W*(?:as|because|for|since)\b")
#: What asks for the same: by itself, and behind "what" or "which".
_ASKING = {word: word for word in ("who", "when", "where", "why")} | {"whom": "who", "whose": "who"}
_WHICH = {"person": "who"} | dict.fromkeys(("year", "date", "day", "century"), "when")
_WHICH |= dict.fromkeys(("city", "country", "state", "continent"), "where")
# What is missing of a thing: its name, "how long" it is.
_ATTRIBUTE = re.compile(
    r"\bhow (\w+) (?:the|an?|its?|he|she|they|is|are|was|were)\b"
    r"|\b(?:the|its|any) (\w+) of (?:the )?(?-i:[A-Z])(?![^,;]*\b(?:is|are|was|were)\b)",
    re.IGNORECASE,
)
_NAME_OF = re.compile(r"\bname of (?:the )?(\w+)", re.IGNORECASE)
_NAMES = frozenset({"name", "named", "called", "who"})
_PLACES = frozenset({"where", "when", "why", "who"})


def denies_asked(text: str, question: str) -> bool | None:
    """Return whether what a denial says is missing is what was asked, or nothing in particular.

    Each of its clauses that denies something is looked at by itself, so that what is conceded beside does not matter.
    None where more words of one are the question's than are not, and no rule decides.

    >>> denies_asked("The background does not say where Chad is.", "How many people live in Chad?")
    False
    """
    denying = denying_clauses(text)
    if not denying or any(not _told(clause) and not _REASON.match(clause) for clause in denying):
        return True
    verdicts = {_is_asked(clause, question) for clause in denying if _told(clause)}
    return True if True in verdicts else None if None in verdicts else False


def denying_clauses(text: str) -> list[str]:
    """Return the clauses of a text that say that something is missing ("but not its population").

    >>> denying_clauses("The text gives its latitude, but no time zone.")
    [' no time zone']
    """
    return [
        part
        for part, _ in clauses(text)
        if denies_background(part) or _BARE_NEGATION.match(part) or _LACK.search(part)
    ]


def _told(clause: str) -> set[str]:
    """The words for what a clause says is missing."""
    idle = _DENIAL_WORDS.union(map(plain, _DENIED.findall(clause)))
    said = (word for word in words(clause) if word not in idle and not _ADVERB.fullmatch(word))
    return {word for word in said if word in _PLACES or word not in NAMING_WORDS}


def _kind(text: str) -> str:
    """What a question, or a clause about one, asks for: a person, a time, a place, a number; nothing if unclear."""
    spoken = words(text)
    for place, word in enumerate(spoken):
        if place and spoken[place - 1] in {"is", "are", "was", "were"}:
            continue  # "That is when it fell" asks for nothing.
        if word in _ASKING:
            return _ASKING[word]
        if word == "how":
            return " ".join(spoken[place : place + 2])
        if word in {"what", "which"}:
            return next((_WHICH[noun] for noun in spoken[place + 1 : place + 4] if noun in _WHICH), "")
    return ""


def _is_asked(clause: str, question: str) -> bool | None:
    """Whether what one clause says is missing is what was asked, or nothing in particular."""
    if _is_other_name(clause, question):
        return False
    keys, asked, told = key_words(question), set(words(question)), _told(clause)
    missing = _without(told, keys)
    foreign = _without(missing, _meant(asked))
    if not foreign or (_same_kind(clause, question) and not foreign & _named(clause)):
        return True
    attribute = {plain(found[1] or found[2]) for found in _ATTRIBUTE.finditer(clause)} - IDLE_WORDS
    # One word more than the question has: it is about what was asked if it shares more than the question's thing.
    more = missing > foreign or asked - keys <= NAMING_WORDS
    if more and len(foreign) == 1 and not foreign & (_PLACES | attribute) and _speaks_of(clause, keys):
        return True
    return None if 2 * len(foreign) < len(told) and not foreign & (_named(clause) | attribute) else False


def _meant(asked: set[str]) -> set[str]:
    """The words of a question, and others that ask for the same."""
    return asked.union(*(group for group in _SYNONYMS if group & asked))


def _is_other_name(clause: str, question: str) -> bool:
    """Whether a clause misses the name of a thing that the question names, and does not ask for."""
    name = _NAME_OF.search(clause)
    return bool(name) and name[1].casefold() in key_words(question) and _NAMES.isdisjoint(words(question))


def _named(clause: str) -> set[str]:
    """The words of a clause that are written large."""
    return {plain(word) for word in tokens(clause) if word[0].isupper()}


def _same_kind(clause: str, question: str) -> bool:
    """Whether a clause and a question ask for the same kind of thing."""
    kind = _kind(question)
    return kind != "" and kind == _kind(clause)


def _speaks_of(clause: str, keys: Collection[str]) -> bool:
    """Whether a clause has one of some words."""
    return any(_is_among(word, keys) for word in words(clause))


def _without(some: Iterable[str], others: Collection[str]) -> set[str]:
    """Those of some words that are not among others."""
    return {word for word in some if not _is_among(word, others)}


def _is_among(word: str, others: Iterable[str]) -> bool:
    """Whether a word is one of others, but for its endings."""
    return any(alike(word, other) for other in others)
