"""Numbers that state how sure a speaker is: ``95% sure``, ``one in ten``, ``Confidence: 30%``, a chance of error."""

import re
from bisect import bisect_left
from collections.abc import Sequence
from itertools import accumulate
from typing import NamedTuple

from ralc.english.quantities import SCALES, SMALL, TENS
from ralc.english.wordlists import CLAUSE_MARKS, ROUGHLY


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
_ROUGHLY = rf"(?:(?:{'|'.join(ROUGHLY)}) )*"
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
_NOUN, _CASE = re.compile(rf"(?:{_NOUNS})(?!\S)"), re.compile(rf"(?:{_CASES})(?!\S)")
#: A clause that is nothing but a ratio.
_OPENS = re.compile(rf"(?:^|(?:{_MARK}|is|are) ){_ROUGHLY}$")
_CLOSES = re.compile(rf"$|(?:{_MARK}|that)(?!\S)")
_WRONG = (
    r"(?:wrong|mistaken|incorrect|error|i (?:have )?(?:mixed|confused|misremembered|misread|mistook))(?!\S)"
)
#: The chance of being wrong, before or behind the number.
_ERROR_BEHIND = re.compile(rf"(?:{_NOUNS}|risk|odds)(?: [^\W\d]+){{0,8}}? {_WRONG}")
_ERROR_BEFORE = re.compile(rf"(?:{_NOUNS}|risk|odds)(?: [^\W\d]+){{1,8}}? {_WRONG}(?: [^\W\d]+){{0,4}} $")


def stated_numbers(words: Sequence[str]) -> list[StatedNumber]:
    """Return the numbers that may say how sure the speaker is, in order; a word that no cue may use is empty.

    >>> [tuple(one) for one in stated_numbers("paris . confidence : 30%".split())]
    [(4, 5, 0.3, (2, 5), False)]
    >>> [one.probability for one in stated_numbers("there is a 5% chance that i am wrong".split())]
    [0.95]
    """
    pieces = [word.replace(" ", "") or "_" for word in words]
    text = " ".join(pieces)
    starts = list(accumulate((len(piece) + 1 for piece in pieces), initial=0))
    found = []
    for match in _NUMBER.finditer(text):
        start, end = bisect_left(starts, match.start()), bisect_left(starts, match.end())
        probability = _probability(match)
        if probability is not None:
            before = " ".join([*pieces[max(start - _REACH, 0) : start], ""])
            behind = " ".join(pieces[end : end + _REACH])
            found.append(_placed(match, StatedNumber(start, end, probability), before, behind))
    return found


def _placed(match: re.Match[str], number: StatedNumber, before: str, behind: str) -> StatedNumber:
    """A number with what its clause says that it is."""
    start, end, probability, *_ = number
    if error := _ERROR_BEHIND.match(behind):
        return StatedNumber(start, end, 1 - probability, (start, end + len(error[0].split())))
    if error := _ERROR_BEFORE.search(before):
        return StatedNumber(start, end, 1 - probability, (start - len(error[0].split()), end))
    if rating := _RATING.search(before):
        return number._replace(alone=(start - len(rating[0].split()), end))
    if noun := _NOUN.match(behind) or (match["whole"] and _CASE.match(behind)):
        return number._replace(alone=(start, end + len(noun[0].split())), yields=True)
    ratio = match["whole"] and (match["cases"] or (_OPENS.search(before) and _CLOSES.match(behind)))
    return number._replace(alone=(start, end) if ratio else None, yields=True)


def _probability(match: re.Match[str]) -> float | None:
    """The probability that a number states; None where it is none."""
    if match["decimal"]:
        return float(match["decimal"]) if float(match["decimal"]) <= 1 else None
    part = _value(match["percent"] or match["part"] or match["over"])
    whole = 100.0 if match["percent"] else _value(match["whole"] or match["top"])
    return part / whole if whole > 0 and 0 <= part <= whole else None


def _value(numeral: str) -> float:
    """The number that a numeral writes in digits or words."""
    first, *rest = numeral.split()
    if first[0].isdigit():
        parts = first.rstrip(".,").replace(",", "").split(".")
        return float(".".join(parts[:2]))
    if first in TENS:
        return TENS[first] + sum(SMALL[word] for word in rest)
    value = SMALL.get(first, SCALES.get(first, 1))
    return value * SCALES[rest[0]] if rest else value
