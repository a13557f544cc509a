"""What a text denies, apart from what it affirms ("It is not Lyon, but Paris" affirms Paris alone), and whether it says
that the answer is not known, or that the background does not contain it."""

import re
from collections.abc import Iterator

from ralc.english.normalisation import LONGEST, NAMING_WORDS, alike, words
from ralc.english.wordlists import word_list

# A denial reaches no further than its clause; the comma of "8,849" and of "August 15, 1971" ends none.
_CLAUSE_MARK = re.compile(
    r"(?:[;:!?()\[\]—]|,(?!\d)(?!(?<=[a-z] \d,) \d{4}\b)(?!(?<=[a-z] \d\d,) \d{4}\b))+|\.(?=\s|$)"
    r"|(?<!anything )(?<!nothing )(?<!all )\b(?:but|however|whereas)\b"
    r"|\band(?=\s+(?:do|does|did|is|are|was|were|has|have|can|will)(?:n['’]t|\s+not)\b)"
    r"|\band(?=\s+(?-i:[A-Z])\w*\s+(?:is|was|are|were|has|lies)\b)",
    re.IGNORECASE,
)
_EPISTEMIC = (
    r"sure|certain|clear|confident|positive|aware|mistaken|wrong|know|known|say|tell|recall|remember|determine|"
    r"only|just|until|till|merely|simply|doubt|surprising|un\w+|im(?:possible|probable|plausible)"
)
_NOT = rf"(?:not|never|no longer)\b(?!(?:\s+(?:\w+\s+)?(?:{_EPISTEMIC})\b))"
# "is not", "doesn't": all of its clause is denied; a "not" alone denies what follows.
_VERB_NOT = re.compile(
    r"\b(?:(?:is|are|was|were|be|been|do|does|did|has|have|had|can|could|will|would|should|may|might|must)"
    rf"(?:\s+\w+ly)?\s+{_NOT}|(?:\w+n['’]t|cannot)\b(?!(?:\s+(?:\w+\s+)?(?:{_EPISTEMIC})\b)))"
    r"|\b(?:false|untrue|incorrect|wrong|a mistake) (?:that|to)\b|\banything but\b|\bi (?:\w+ly )?doubt\b|\bno way\b"
    rf"|(?<!not )(?<!n['’]t )\bimpossible (?:that|to be)\b(?!\s+(?:\w+\s+)?(?:{_EPISTEMIC})\b)"
    r"|\b(?:is|are|was|were) (?:hardly|scarcely) (?-i:[A-Z])",
    re.IGNORECASE,
)
_NOT_ALONE = re.compile(
    rf"\b(?:{_NOT}|neither\b|nor\b|rather than\b|instead of\b|other than\b|except(?: for)?\b)|^\W*far from (?-i:[A-Z])",
    re.IGNORECASE,
)
# One more item of a list of names.
_ITEM = re.compile(r"\s*(?:(?:and|or|nor) )?[A-Z][\w'’.-]*(?: [A-Z][\w'’.-]*){0,2}\s*")
#: "No city other than Paris", or larger than it, is Paris.
NONE_OTHER = re.compile(
    r"\b(?:not?|none|nobody|nothing)\b[^,;.]{0,60}?\b(?:other|more|\w+er)\b(?: (?!than)\w+){0,3} than\b",
    re.IGNORECASE,
)
# What others think, what was thought at first, what is only asked: neither affirmed nor denied.
_SET_ASIDE = re.compile(
    r"\b(?:used to|once) be\b|\bat first\b|\bfirst (?:thought|guess|sight)|\bpopular belief|\bbetween\b.{1,80}\band\b"
    r"|\b(?:people|some|many|most|others?|they|often|you)\b(?: \w+)? (?:think|thought|believed?|say|said|assume)\b"
    r"|^\W*others\b"
    r"|\b(?:know|tell|say|sure|unclear|unsure|wonder)(?: you)? (?:whether|if)\b",
    re.IGNORECASE,
)
_LACKING = r"(?:\b(?:not|no|never|nothing|nowhere|none|nobody|neither|cannot|without)\b|n['’]t\b)"
_TELLING = (
    r"(?:sa(?:y|id)|mention|specif|tell|told|answer|known\b|indicat|availab|reveal|determin|informa|detail)"
)
_GIVING = (
    r"(?:contain|stat(?:e|ing)|provid|give|includ|enough|nam(?:e|ing)|list|discuss|describ|found|find|data|figure"
    r"|explain|address|comes? up|work(?:ed)? out|learn|record|cover|clue|hint|establish|disclos)"
)
#: What is not told.
_UNTOLD = re.compile(
    rf"{_LACKING}[^.]{{0,60}}?\b{_TELLING}|\b(?:left out|missing|absent|omit\w*|lack\w*|silent|insufficient)\b"
    r"|\bun(?:stated|specified|answered|mentioned|recorded|answerable)\b|\b(?:leaves?|left)\b[^.]{0,20}?\bopen\b",
    re.IGNORECASE,
)
#: What is not given, or cannot be found: of a background the same.
_UNGIVEN = re.compile(rf"{_LACKING}[^.]{{0,60}}?\b{_GIVING}", re.IGNORECASE)
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
_DENIAL_WORDS = word_list("denial_words")
#: Ways to ask for one thing.
_SYNONYMS = [word_list(f"asked_of_{kind}") for kind in ("people", "places", "times", "sizes")]
_PLACES = frozenset({"where", "when", "why", "who"})


def clauses(text: str) -> Iterator[tuple[str, str]]:
    """Yield the clauses of a text, each with the mark or conjunction before it.

    >>> list(clauses("It is Paris, not Lyon."))
    [('It is Paris', ''), (' not Lyon', ','), ('', '.')]
    """
    text = text[:LONGEST]
    start, mark = 0, ""
    for found in _CLAUSE_MARK.finditer(text):
        yield text[start : found.start()], mark
        start, mark = found.end(), found.group()
    yield text[start:], mark


def affirmed_and_denied(text: str) -> tuple[str, str]:
    """Return what a text affirms and what it denies, each in the words of the text.

    A verb denied ("is not", "is hardly", "don't think") denies its clause, as do "it is false that" and "I doubt";
    "not", "neither", "nor", "rather than" and "far from" before a name alone deny what follows in
    theirs. What only admits doubt ("I am not sure", "not only", "if I am not mistaken") denies nothing. What others
    think, what was thought at first and what is only asked ("whether it is") is neither.

    >>> affirmed_and_denied("The capital is not Lyon, but Paris.")
    (', but Paris.', 'The capital is not Lyon')
    """
    affirmed: list[str] = []
    denied: list[str] = []
    listing = False
    for clause, mark in clauses(NONE_OTHER.sub("", text)):
        alone = _NOT_ALONE.search(clause)
        # "Paris, not Lyon, Nice": a list goes on; "not Lyon, Paris" corrects.
        listing = listing and mark == "," and bool(_ITEM.fullmatch(clause)) and not alone
        if listing or (mark == "(" and denied and _NOT_ALONE.fullmatch(denied[-1].strip())):
            denied.append(clause)
        elif _SET_ASIDE.search(clause):
            affirmed.append(mark)
        elif _VERB_NOT.search(clause):
            affirmed.append(mark)
            denied.append(clause)
            listing = True
        elif alone:
            affirmed += [mark, clause[: alone.start()]]
            denied.append(clause[alone.start() :])
            listing = bool("".join(affirmed).strip(" ,;"))
        else:
            affirmed += [mark, clause]
    return "".join(affirmed), " ".join(denied)


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
    missing = map(_missing, denying_clauses(text))
    return not all(any(not any(alike(word, key) for key in known) for word in some) for some in missing)


def _missing(clause: str) -> set[str]:
    """Return the words for what a clause says is missing."""
    said = (word for word in words(clause) if word not in _DENIAL_WORDS and not word.endswith("ly"))
    return {word for word in said if word in _PLACES or word not in NAMING_WORDS}
