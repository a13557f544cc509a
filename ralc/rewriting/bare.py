"""An answer without the hedge it came with, so that a rewrite does not hedge twice."""

import re
from functools import cache

from ralc.lexicon import load_hedges

#: Hedges that say the opposite of what follows: taking them away would turn the answer round.
_NEGATING = re.compile(
    r"\b(?:not|no|doubt|unlikely|improbable|impossible|slight|slim|little|remote|anyone's)\b"
)
#: Clauses that are hedges without *that*, too.
_BARE_CLAUSES = "I think|I believe|I guess|I suppose|I assume|I would say|I'd say|my (?:best )?guess is"
#: Adverbs that are hedges wherever they stand.
_ADVERB = r"(?!likely|clearly|absolutely|theoretically)\w+ly|perhaps|maybe"
_CONTRACTED = {
    "I am ": "I(?:'m|’m| am) ",
    "it is ": "(?:it's|it’s|it is) ",
    "there is ": "(?:there's|there’s|there is) ",
}


def bare(text: str) -> str:
    """Return an answer without a hedge of the lexicon that opens it, and without its hedging adverbs.

    What hedges by denying ("I doubt that ...") stays, and so does a hedge that is the whole answer.

    >>> bare("I think that the capital is probably Paris."), bare("I doubt that it is Paris.")
    ('The capital is Paris.', 'I doubt that it is Paris.')
    """
    opening, adverb = _patterns()
    rest = opening.sub("", text.strip(), count=1)
    rest = adverb.sub("", rest)
    if rest == text.strip() or not any(character.isalnum() for character in rest):
        return text
    return rest[:1].upper() + rest[1:]


@cache
def _patterns() -> tuple[re.Pattern[str], re.Pattern[str]]:
    """What opens a hedged answer; hedging adverbs inside one."""
    hedges = load_hedges()
    affirming = hedges["expression"].map(lambda expression: _NEGATING.search(expression) is None)
    clauses = _alternatives(hedges.loc[(hedges["frame"] == "clause") & affirming, "expression"])
    openers = _alternatives(hedges.loc[hedges["frame"] == "opener", "expression"])
    standalone = _alternatives(hedges.loc[hedges["frame"] == "standalone", "expression"])
    is_adverb = (hedges["frame"] == "adverb") & hedges["expression"].str.fullmatch(_ADVERB)
    adverbs = _alternatives(hedges.loc[is_adverb & affirming, "expression"])
    opening = rf"(?:{clauses}) that |(?:{_BARE_CLAUSES}) |(?:{openers}), |(?:{standalone}), but "
    return (
        re.compile(rf"^(?:{opening})", re.IGNORECASE),
        re.compile(rf"^(?:{adverbs}),? | (?:{adverbs})(?= \w)|, (?:{adverbs})(?=[.,!?]|$)", re.IGNORECASE),
    )


def _alternatives(expressions: list[str]) -> str:
    """A pattern of any of the expressions, the longest first, contracted or not."""
    ordered = sorted(expressions, key=len, reverse=True)
    return "|".join(_contractible(expression) for expression in ordered)


def _contractible(expression: str) -> str:
    for start, pattern in _CONTRACTED.items():
        if expression.startswith(start):
            return pattern + re.escape(expression.removeprefix(start))
    return re.escape(expression)
