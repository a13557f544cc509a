"""Who says that the answer is not known, or that the background does not contain it, and whether that was asked."""

import re

from ralc.english.negation import clauses
from ralc.english.normalisation import LONGEST, NAMING_WORDS, set_of, words
from ralc.english.relevance import among

_NEGATIVE = r"(?:\b(?:not|no|never|nothing|nowhere|none|nobody|neither|cannot|without)\b|n['’]t\b)"
_TELLING = (
    r"(?:sa(?:y|id)|mention|specif|tell|told|answer|known\b|indicat|availab|reveal|determin|informa|detail)"
)
_GIVING = (
    r"(?:contain|stat(?:e|ing)|provid|give|includ|enough|nam(?:e|ing)|list|discuss|describ|found|find|data|figure"
    r"|explain|address|comes? up|work(?:ed)? out|learn|record|cover|clue|hint|establish|disclos)"
)
#: What is not told.
_UNTOLD = re.compile(
    rf"{_NEGATIVE}[^.]{{0,60}}?\b{_TELLING}|\b(?:left out|missing|absent|omit\w*|lack\w*|silent|insufficient)\b"
    r"|\bun(?:stated|specified|answered|mentioned|recorded|answerable)\b|\b(?:leaves?|left)\b[^.]{0,20}?\bopen\b",
    re.IGNORECASE,
)
#: What is not given, or cannot be found: of a background the same.
_UNGIVEN = re.compile(rf"{_NEGATIVE}[^.]{{0,60}}?\b{_GIVING}", re.IGNORECASE)
_BACKGROUND = re.compile(
    r"\b(?:background|passage|text|context|paragraph|article|information|answer)\b", re.IGNORECASE
)
#: What is left out beside what is given: "but not its population".
_NOT_BESIDE = re.compile(
    r"\s*(?:(?:but|though|and|yet)\s+)?(?:not|no|nothing|nor)\b(?=\s+\w)|.*\bnothing (?:on|about)\b",
    re.IGNORECASE,
)
#: What was unknown before is known now: "mapping previously unknown areas".
_NOT_KNOWN = re.compile(
    r"\b(?:do not|don['’]t|did not|didn['’]t|cannot|can['’]t|can not|could not|couldn['’]t) "
    r"(?:\w+ ){0,2}?(?:know|answer|say|tell|recall|remember|determine|provide|confirm)\b"
    r"|(?:\bno|(?:\bnot|n['’]t) (?:got |have )?an?y?) (?:idea|clue|comment)\b|\brather not\b"
    r"|(?<!\bpreviously )(?<!\bformerly )(?<!\bhitherto )\b(?:unknown|not sure|unsure|unclear|not clear)\b"
    r"|\bunable to (?:answer|say|tell|provide)|\b(?:not possible|impossible) to (?:answer|determine|know|say|tell)\b"
    r"|\bwho knows\b|\bhard to (?:say|tell)\b",
    re.IGNORECASE,
)
#: Words of the denial itself.
_DENIAL_WORDS = set_of(
    """
    background passage text context paragraph article information detail details mention mentions mentioned say says
    said state states stated contain contains contained any answers question specify specifies specified provide
    provides provided give gives given include includes included indicate indicates indicated reveal tell tells told
    know known enough available determine determined found find name names named nothing anything saying stating
    mentioning providing telling describing giving specifying above following detailed list leaves leave left open
    silent lack lacks omits figure figures data number word reference relevant related regarding concerning topic able
    unable possible impossible clear definitive particular based part somewhere cant couldnt doesnt dont isnt didnt
    many title sufficient insufficient unanswerable specific us need needed exact anywhere all established disclose
    disclosed revealed unmentioned unstated unspecified basis present explain discuss describe record cover address
    """
)
#: Ways to ask for one thing.
_SYNONYMS = tuple(
    map(
        set_of,
        (
            "population people inhabitants live residents",
            "location located where country continent place",
            "date when year time age old born",
            "area size large big height tall high",
        ),
    )
)
_PLACES = frozenset({"where", "when", "why", "who"})


def denies_background(text: str) -> bool:
    """Return whether a text says that something is not told, as that the background does not contain the answer.

    >>> denies_background("The background does not mention its currency.")
    True
    """
    text = text[:LONGEST]
    return bool(_UNTOLD.search(text) or (_BACKGROUND.search(text) and _UNGIVEN.search(text)))


def abstains(text: str) -> bool:
    """Return whether a text is empty or says that the answer is not known.

    >>> abstains("I have no idea."), abstains("Perhaps Paris.")
    (True, False)
    """
    text = text[:LONGEST]
    return not words(text) or denies_background(text) or _NOT_KNOWN.search(text) is not None


def denying_clauses(text: str) -> list[str]:
    """Return the clauses of a text that say that something is missing ("but not its population").

    >>> denying_clauses("The text gives its latitude, but no time zone.")
    [' no time zone']
    """
    return [
        part
        for part, _ in clauses(text)
        if any(kind.search(part) for kind in (_UNTOLD, _UNGIVEN)) or _NOT_BESIDE.match(part)
    ]


def denies_asked(text: str, question: str) -> bool:
    """Return whether what a denial says is missing is what was asked, or nothing in particular.

    Each of its clauses that denies something is looked at by itself.

    >>> denies_asked("The background does not say where Chad is.", "How many people live in Chad?")
    False
    """
    asked = set(words(question))
    known = asked.union(*(group for group in _SYNONYMS if group & asked))
    foreign = [_missing(clause) - among(_missing(clause), known) for clause in denying_clauses(text)]
    return not all(foreign)


def _missing(clause: str) -> set[str]:
    """Return the words for what a clause says is missing."""
    said = (word for word in words(clause) if word not in _DENIAL_WORDS and not word.endswith("ly"))
    return {word for word in said if word in _PLACES or word not in NAMING_WORDS}
