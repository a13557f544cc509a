"""What a text denies, apart from what it affirms: "It is not Lyon, but Paris" affirms Paris alone."""

import re

from ralc.english.normalisation import LONGEST

# A denial reaches no further than its clause.
_CLAUSE_MARK = re.compile(r"[,;:!?()\[\]—]+|\.(?=\s|$)|\b(?:but|however|whereas)\b", re.IGNORECASE)
_EPISTEMIC = (
    r"sure|certain|clear|confident|positive|aware|mistaken|wrong|know|known|say|tell|recall|remember|determine|"
    r"only|just|merely|simply|un\w+|im(?:possible|probable|plausible)"
)
_NOT = rf"(?:not|never|no longer)\b(?!(?:\s+(?:\w+\s+)?(?:{_EPISTEMIC})\b))"
# "is not", "doesn't": all of its clause is denied; a "not" alone denies what follows.
_VERB_NOT = re.compile(
    r"\b(?:(?:is|are|was|were|be|been|do|does|did|has|have|had|can|could|will|would|should|may|might|must)"
    rf"(?:\s+\w+ly)?\s+{_NOT}|(?:\w+n['’]t|cannot)\b(?!(?:\s+(?:\w+\s+)?(?:{_EPISTEMIC})\b)))",
    re.IGNORECASE,
)
_NOT_ALONE = re.compile(
    rf"\b(?:{_NOT}|neither\b|nor\b|rather than\b|instead of\b|(?<!none )other than\b|except(?: for)?\b)",
    re.IGNORECASE,
)


def affirmed_and_denied(text: str) -> tuple[str, str]:
    """Return what a text affirms and what it denies, each in the words of the text.

    A verb denied ("is not", "don't think") denies its clause; "not", "neither", "nor", "rather than" and
    "instead of" alone deny what follows in theirs. What only admits doubt ("I am not sure", "not only", "if I
    am not mistaken") denies nothing.

    >>> affirmed_and_denied("The capital is not Lyon, but Paris.")
    (', but Paris.', 'The capital is not Lyon')
    """
    text = text[:LONGEST]
    affirmed: list[str] = []
    denied: list[str] = []
    start = 0
    for end in (*(mark.start() for mark in _CLAUSE_MARK.finditer(text)), len(text)):
        clause, start = text[start:end], end
        alone = _NOT_ALONE.search(clause)
        if _VERB_NOT.search(clause):
            denied.append(clause)
        elif alone:
            affirmed.append(clause[: alone.start()])
            denied.append(clause[alone.start() :])
        else:
            affirmed.append(clause)
    return "".join(affirmed), "".join(denied)
