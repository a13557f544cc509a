"""Numbers that state a probability: ``70%``, ``thirty percent``, ``one in ten``, ``nine times out of ten``."""

from collections.abc import Sequence

from ralc.english.numerals import SCALES, SMALL, TENS
from ralc.english.vocabulary import CLAUSE_MARKS, NUMBER_NOUNS, ROUGHLY

#: What says that a number is the chance of an error, and how far from it, in tokens.
ERROR_NOUNS = NUMBER_NOUNS | {"risk", "odds"}
WRONG = frozenset({"wrong", "mistaken", "incorrect", "error"})
ERROR_REACH = 10
#: What a speaker gives a number of, and what may stand between it and the number, or before it.
_RATED = frozenset({"confidence", "certainty", "probability", "likelihood"})
_SELF_RATED = frozenset({"confidence", "certainty"})
_MEASURED = frozenset({"level", "score", "rating"})
_ABOUT = tuple(
    tuple(phrase.split())
    for phrase in (
        "in this",
        "in it",
        "in that",
        "in this answer",
        "in that answer",
        "in my answer",
        "in the answer",
        "about this",
        "about it",
        "about that",
    )
)
_OWN = frozenset({"my", "our"})
_CASES = frozenset(["times", "time", "cases", "case", "chances", "chance", "shots", "shot", "instances"])


def begins_number(word: str) -> bool:
    """Whether a percentage or a ratio may begin with a word: most words settle it at once.

    >>> begins_number("seventy"), begins_number("70%"), begins_number("perhaps")
    (True, True, False)
    """
    return word[:1].isdigit() or word in SMALL or word in TENS or word in SCALES


def percentage(words: Sequence[str], at: int) -> tuple[int, float] | None:
    """(end, probability) of the percentage that begins at a position; None where none does.

    >>> percentage("ninety five percent sure".split(), 0), percentage(["70%"], 0), percentage(["70"], 0)
    ((3, 0.95), (1, 0.7), None)
    """
    if words[at].endswith("%"):
        return _probability(at + 1, _digits(words[at][:-1]), 100)
    end, value = _number(words, at)
    if value is None or end >= len(words):
        return None
    if words[end] == "percent":
        return _probability(end + 1, value, 100)
    return _probability(end + 2, value, 100) if list(words[end : end + 2]) == ["per", "cent"] else None


def ratio(words: Sequence[str], at: int) -> tuple[int, float] | None:
    """(end, probability) of a ratio that begins at a position and stands for a chance; None where none does.

    "One in ten people" counts people: a ratio is a chance if it says so ("a one in ten chance", "nine times out of
    ten") or is all that its clause says ("two out of three, it is so").

    >>> ratio("one chance in ten that it rains".split(), 0), ratio("one in ten people".split(), 0)
    ((4, 0.1), None)
    """
    end, part = _number(words, at)
    named = end < len(words) and words[end] in _CASES
    end += named
    if part is None or end >= len(words) or words[end] not in {"in", "out"}:
        return None
    end += 2 if list(words[end : end + 2]) == ["out", "of"] else 1
    end += end < len(words) and words[end] in {"a", "every"}
    end, whole = _number(words, end) if end < len(words) else (end, None)
    if whole is None or not (named or _alone(words, at, end)):
        return None
    noun = end < len(words) and words[end] in NUMBER_NOUNS | _CASES
    return _probability(end + noun, part, whole)


def error_chance(words: Sequence[str], start: int, end: int) -> tuple[int, int] | None:
    """(first, last) of the words by which a number, `start` to `end`, is the chance that the speaker is wrong.

    >>> error_chance("the chance that i am wrong is below 5%".split(), 8, 9)
    (1, 9)
    >>> error_chance("a 5% chance that it is wrong to go".split(), 1, 2), error_chance("a 5% chance".split(), 1, 2)
    ((1, 7), None)
    """
    if end < len(words) and words[end] in ERROR_NOUNS:
        wrong = _first(words, range(end + 1, min(end + ERROR_REACH, len(words))), WRONG)
        return None if wrong is None else (start, wrong + 1)
    wrong = _first(words, range(start - 1, max(start - ERROR_REACH, -1), -1), WRONG)
    noun = (
        None
        if wrong is None
        else _first(words, range(wrong - 1, max(wrong - ERROR_REACH, -1), -1), ERROR_NOUNS)
    )
    return None if noun is None else (noun, end)


def self_rating(words: Sequence[str], at: int) -> int | None:
    """Where the words begin by which the number at a position is how sure the speaker is; None where it is not.

    >>> self_rating("paris . confidence : 30%".split(), 4), self_rating("my confidence in this is about 30%".split(), 6)
    (2, 0)
    >>> self_rating("confidence in the government is 30%".split(), 5) is None
    True
    """
    place = at
    while place and words[place - 1] in ROUGHLY:
        place -= 1
    verb = place
    while place and words[place - 1] in {"is", "at", ":"}:
        place -= 1
    linked = set(words[place:verb])
    about = next((len(a) for a in _ABOUT if tuple(words[max(place - len(a), 0) : place]) == a), 0)
    place -= about
    place -= place > 0 and words[place - 1] in _MEASURED
    place -= 1
    if place < 0 or words[place] not in _RATED:
        return None
    before = words[place - 1] if place else "."
    if words[place] in _SELF_RATED and before in _OWN:
        return place - 1
    # "Confidence is at 30 percent among consumers", "the probability is 30%": of the matter.
    alone = before in CLAUSE_MARKS and (linked <= {":"} or (words[place] in _SELF_RATED and linked == {"is"}))
    return place if alone and (linked or not about) else None


def _first(words: Sequence[str], places: range, wanted: frozenset[str]) -> int | None:
    """The first of the places that holds a wanted word, within the clause."""
    for place in places:
        if words[place] in CLAUSE_MARKS:
            return None
        if words[place] in wanted:
            return place
    return None


def _alone(words: Sequence[str], start: int, end: int) -> bool:
    if end < len(words) and words[end] in NUMBER_NOUNS | _CASES:
        return True
    before = words[start - 1] if start else "."
    after = words[end] if end < len(words) else "."
    return (before in CLAUSE_MARKS or before in ROUGHLY | {"is", "are"}) and (
        after in CLAUSE_MARKS or after == "that"
    )


def _number(words: Sequence[str], at: int) -> tuple[int, float | None]:
    """(end, value) of a number in digits or words; (at, None) where there is none."""
    word = words[at]
    if word in TENS:
        unit = SMALL.get(words[at + 1], 0) if at + 1 < len(words) else 0
        return (at + 2, TENS[word] + unit) if 0 < unit < 10 else (at + 1, TENS[word])
    value = SMALL[word] if word in SMALL else SCALES.get(word, _digits(word))
    following = words[at + 1] if at + 1 < len(words) else ""
    if value is not None and word not in SCALES and following in SCALES:
        return at + 2, value * SCALES[following]
    return (at, None) if value is None else (at + 1, value)


def _digits(word: str) -> float | None:
    try:
        return float(word.replace(",", "")) if word[:1].isdigit() else None
    except ValueError:
        return None


def _probability(end: int, part: float | None, whole: float) -> tuple[int, float] | None:
    return (end, part / whole) if part is not None and 0 <= part <= whole and whole > 0 else None
