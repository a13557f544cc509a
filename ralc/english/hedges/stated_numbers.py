"""Numbers that state how sure a speaker is: ``95% sure``, ``one in ten``, ``Confidence: 30%``, a chance of error."""

import math
import re
from bisect import bisect_left
from collections.abc import Sequence
from itertools import accumulate
from typing import NamedTuple

from ralc.english.normalisation import SCALES, SMALL, TENS
from ralc.english.wordlists import CLAUSE_MARKS, word_list


class StatedNumber(NamedTuple):
    """A number: the positions of its words, the probability that it states, and the cue that it is without others.

    ``alone`` is None where the number states how sure the speaker is only beside a cue ("95% sure").
    ``yields`` says that a cue that is there goes before it.
    """

    start: int
    end: int
    probability: float
    alone: tuple[int, int] | None = None
    yields: bool = False


_REACH = 16  # words before and behind a number that say what it is of
_UNITS = "|".join(word for word, value in SMALL.items() if 0 < value < 10)
_NUMERAL = (
    rf"(?:\d[\d.,]*|(?:{'|'.join(TENS)})(?: (?:{_UNITS}))?|(?:{'|'.join(SMALL)})(?: (?:{'|'.join(SCALES)}))?"
    rf"|{'|'.join(SCALES)})"
)
_CASES = "times?|cases?|chances?|shots?|instances?"
_NOUNS = "chance|probability|likelihood|possibility|confidence|certainty"
_NUMBER = re.compile(
    rf"(?<!\S)(?:(?P<percent>{_NUMERAL})(?:%| percent| per cent)"
    rf"|(?P<part>{_NUMERAL})(?P<cases> (?:{_CASES}))? (?:in|out of|out)(?: a| every)? (?P<whole>{_NUMERAL})"
    r"|(?P<over>\d+(?:\.\d+)?)/(?P<top>\d+)|(?P<decimal>[01]?\.\d+))(?!\S)"
)
_MARK = f"[{re.escape(''.join(CLAUSE_MARKS))}]"
_ROUGHLY = rf"(?:(?:{'|'.join(word_list('roughly'))}) )*"
#: What stands before a number, to its end, that gives it to the speaker.
_RATING = re.compile(
    rf"(?:(?:put|place|set|estimate|rate) (?:it|this|that|(?:the|my) (?:{_NOUNS})(?: [^\W\d]+){{0,9}}?) at"
    rf"|(?:my|our) (?:confidence|certainty)(?: level| score| rating)?(?: (?:in|about|that|here)(?: [^\W\d]+){{0,3}}?)?"
    rf"(?: is| as| at| of| :)?"
    rf"|(?:(?<={_MARK} )|^)(?:(?:confidence|certainty)(?: level| score| rating)?(?: is| :)?"
    rf"|(?:probability|likelihood)(?: :)?)"
    rf"|with a (?:confidence|certainty) of"
    rf"|(?:{_NOUNS}) (?:that|of) (?:it|this|i)(?: [^\W\d]+){{0,9}}? (?:is|at)) {_ROUGHLY}$"
)
_NOUN = re.compile(rf"(?:{_NOUNS})(?!\S)")
_CASE = re.compile(rf"(?:{_CASES})(?!\S)")
#: The chance of being wrong, before or behind the number.
_ERROR = (
    rf"(?:{_NOUNS}|risk|odds)(?: [^\W\d]+){{0,8}}?"
    r" (?:wrong|mistaken|incorrect|error|i (?:have )?(?:mixed|confused|misremembered|misread|mistook))(?!\S)"
)
_WRONG, _WRONG_BEFORE = re.compile(_ERROR), re.compile(rf"{_ERROR}(?: [^\W\d]+){{0,4}} $")


def stated_numbers(words: Sequence[str]) -> list[StatedNumber]:
    """Return the numbers that may say how sure the speaker is, in order; a word that no cue may use is empty.

    >>> [tuple(one) for one in stated_numbers("paris . confidence : 30%".split())]
    [(4, 5, 0.3, (2, 5), False)]
    """
    pieces = [word.replace(" ", "") or "_" for word in words]
    text = " ".join(pieces)
    starts = list(accumulate((len(piece) + 1 for piece in pieces), initial=0))
    spans = []
    for match in _NUMBER.finditer(text):
        start, end = bisect_left(starts, match.start()), bisect_left(starts, match.end())
        before = " ".join([*pieces[max(start - _REACH, 0) : start], ""])
        behind = " ".join(pieces[end : end + _REACH])
        probability = _probability(match)
        alone = None
        wrong = _WRONG.match(behind) or _WRONG_BEFORE.search(before)
        rating = _RATING.search(before)
        noun = _NOUN.match(behind) or (match["whole"] and _CASE.match(behind))
        if wrong:
            probability = 1 - probability
        if clause := wrong or rating:
            length = len(clause[0].split())
            alone = (start, end + length) if clause.string is behind else (start - length, end)
        elif noun or match["cases"]:
            alone = (start, end + len(noun[0].split()) if noun else end)
        if 0 <= probability <= 1:
            spans.append(StatedNumber(start, end, probability, alone, yields=not clause))
    return spans


def _probability(match: re.Match[str]) -> float:
    """The probability that a number states; none where it is not in [0, 1]."""
    if match["decimal"]:
        return float(match["decimal"])
    whole = 100.0 if match["percent"] else _value(match["whole"] or match["top"])
    return _value(match["percent"] or match["part"] or match["over"]) / whole if whole > 0 else math.nan


def _value(numeral: str) -> float:
    """The number that a numeral writes in digits or words."""
    first, *rest = numeral.split()
    if first[0].isdigit():
        return float(".".join(first.rstrip(".,").replace(",", "").split(".")[:2]))
    value = (TENS | SMALL | SCALES).get(first, 1)
    return value * SCALES[rest[0]] if rest and rest[0] in SCALES else value + sum(map(SMALL.get, rest))
