"""What a text denies or sets aside, apart from what it affirms: "It is not Lyon, but Paris" affirms Paris alone."""

import re
from collections.abc import Iterator

from ralc.english.normalisation import LONGEST

# A denial reaches no further than its clause; the comma of "8,849" and of "August 15, 1971" ends none.
_CLAUSE_MARK = re.compile(
    r"(?:[;:!?()\[\]—]|,(?!\d)(?!(?<=[a-z] \d,) \d{4}\b)(?!(?<=[a-z] \d\d,) \d{4}\b))+|\.(?=\s|$)"
    r"|(?<!anything )(?<!nothing )(?<!all )\b(?:but|however|whereas)\b"
    r"|\band(?=\s+(?:do|does|did|is|are|was|were|has|have|can|will)(?:n['’]t|\s+not)\b)"
    r"|\band(?=\s+(?-i:[A-Z])\w*\s+(?:is|was|are|were|has|lies)\b)",
    re.IGNORECASE,
)
#: Where a clause may end that gives an answer. What "or" joins is one clause: an alternative has no role of its own.
CUT = re.compile(
    r"(?:[,;:!?()—–…]+|\.{2,}|\.(?=\s|$)|\s-\s)(?!\d|\s*or\b)|\b(?:and|but|yet|so|whereas)\b"
    r"|(?=\b(?:while|although|though|because|since|as|than|after|before|with|which|who|whom|whose|where|when|if)\b)",
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
