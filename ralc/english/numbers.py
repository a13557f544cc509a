"""Numbers that state a probability: ``70%``, ``thirty percent``, ``one in ten``, ``nine times out of ten``."""

from collections.abc import Callable, Collection, Sequence

from ralc.english.numerals import SCALES, SMALL, TENS
from ralc.english.word_sets import CLAUSE_MARKS, NUMBER_NOUNS, ROUGHLY

#: What says that a number is the chance of an error, and how far from it, in tokens.
ERROR_NOUNS = NUMBER_NOUNS | {"risk", "odds"}
WRONG = frozenset({"wrong", "mistaken", "incorrect", "error"})
_MISTOOK = frozenset({"mixed", "mixing", "confused", "confusing", "misremember", "misremembered", "misread"})
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
        "here",
    )
)
_BE = frozenset({"am", "is", "are", "was", "were"})
_OWN = frozenset({"my", "our"})
_ABOUT_ERROR = frozenset({"being", "be", "of", "in"})
_SETS = frozenset({"put", "place", "set", "estimate", "rate"})
_ANSWER = frozenset({"it", "this", "that"})
_LINKS = frozenset({"is", ":", "of", "as"})
_BOUNDS = frozenset({"than", "below", "under", "most", "least"})
_PARTS = {
    part: whole
    for whole, parts in {
        2: "half halves",
        3: "third thirds",
        4: "quarter quarters",
        5: "fifth fifths",
        10: "tenths",
    }.items()
    for part in parts.split()
}
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


def score(words: Sequence[str], at: int) -> tuple[int, float] | None:
    """(end, share) of a number out of one or of a scale; None where none begins at a position.

    It is a chance only where it is said of one.

    >>> score(["0.35"], 0), score(["9/10"], 0), score("three quarters".split(), 0), score(["15"], 0)
    ((1, 0.35), (1, 0.9), (2, 0.75), None)
    >>> score("7 on a scale of 1 to 10".split(), 0), score("confidence ( 0 100 ) : 15".split(), 6)
    ((8, 0.7), (7, 0.15))
    """
    part, slash, whole = words[at].partition("/")
    if slash:
        return _probability(at + 1, _digits(part), _digits(whole) or 0)
    end, value = _number(words, at)
    if value is None:
        return None
    if end < len(words) and words[end] in _PARTS:
        return _probability(end + 1, value, _PARTS[words[end]])
    if list(words[end : end + 3]) == ["on", "a", "scale"] and list(words[end + 5 : end + 6]) == ["to"]:
        last, top = _number(words, end + 6) if end + 6 < len(words) else (end, None)
        return _probability(last, value, top or 0)
    if at > 3 and list(words[at - 2 : at]) == [")", ":"]:
        return _probability(end, value, _number(words, at - 3)[1] or 0)
    return (end, value) if "." in words[at] and value <= 1 else None


def error_chance(words: Sequence[str], start: int, end: int) -> tuple[int, int] | None:
    """(first, last) of the words by which a number, `start` to `end`, is the chance that the speaker is wrong.

    >>> error_chance("the chance that i am wrong is below 5%".split(), 8, 9)
    (1, 9)
    >>> error_chance("a 5% chance that it is wrong to go".split(), 1, 2), error_chance("a 5% chance".split(), 1, 2)
    ((1, 7), None)
    """
    if not ERROR_NOUNS.isdisjoint(words[end - 1 : end + 1]):
        wrong = _first(words, range(end + 1, min(end + ERROR_REACH, len(words))), _errs)
        return None if wrong is None else (start, wrong + 1)
    wrong = _first(words, range(start - 1, max(start - ERROR_REACH, -1), -1), _errs)
    noun = (
        None
        if wrong is None
        else _first(words, range(wrong - 1, max(wrong - ERROR_REACH, -1), -1), _names_error)
    )
    return None if noun is None else (noun, end)


def self_rating(words: Sequence[str], at: int) -> int | None:
    """Where the words begin by which the number at a position is how sure the speaker is; None where it is not.

    >>> self_rating("paris . confidence : 30%".split(), 4), self_rating("my confidence in this is about 30%".split(), 6)
    (2, 0)
    >>> self_rating("i would put the chance that it is oslo at 30%".split(), 10)
    4
    >>> self_rating("it is oslo with a certainty of 30%".split(), 7)
    5
    >>> self_rating("confidence in the government is 30%".split(), 5) is None
    True
    """
    place = _before(words, at, ROUGHLY)
    if place > 1 and words[place - 2] in _SETS and words[place - 1] in _ANSWER and "at" in words[place:at]:
        return place - 2  # "I'd put it at about 90 %"
    verb, place = place, _before(words, place, _LINKS)
    put = _first(words, range(place - 1, max(place - ERROR_REACH, 0), -1), _is_set)
    if put is not None and not {"is", "at"}.isdisjoint(words[place:at]):
        return put
    linked = set(words[place:verb])
    if words[place - 1 : place] == [")"]:
        place = next((at for at in range(place - 2, max(place - 6, -1), -1) if words[at] == "("), 0)
    about = next((len(a) for a in _ABOUT if tuple(words[max(place - len(a), 0) : place]) == a), 0)
    place -= about
    place -= place > 0 and words[place - 1] in _MEASURED
    place -= 1
    return None if place < 0 or words[place] not in _RATED else _rated(words, place, linked, about > 0)


def _before(words: Sequence[str], at: int, some: Collection[str]) -> int:
    """Where a run of some words that ends before a position begins."""
    while at and words[at - 1] in some:
        at -= 1
    return at


def _rated(words: Sequence[str], place: int, linked: set[str], about: bool) -> int | None:
    """Where the words begin by which what is rated at a position is the speaker's own; None where it is not."""
    before = words[place - 1] if place else "."
    rates_self = words[place] in _SELF_RATED
    if rates_self and before in _OWN:
        return place - 1
    if rates_self and linked == {"of"}:
        return place if list(words[max(place - 2, 0) : place]) == ["with", "a"] else None
    # "Confidence is at 30 percent among consumers", "the probability is 30%": of the matter.
    alone = before in CLAUSE_MARKS and (linked <= {":"} or (rates_self and linked == {"is"}))
    return place if alone and (linked or not about) else None


def _errs(words: Sequence[str], at: int) -> bool:
    """Whether somebody is wrong, or the speaker has mistaken something for another."""
    return words[at] in WRONG or (words[at] in _MISTOOK and "i" in words[max(at - 3, 0) : at])


def says_wrong(words: Sequence[str], at: int) -> bool:
    """Return whether what follows in a clause is that the answer is wrong.

    >>> says_wrong("a small chance that i am wrong".split(), 3), says_wrong("a small chance of a wrong turn".split(), 3)
    (True, False)
    """
    wrong = _first(words, range(at, min(at + ERROR_REACH, len(words))), _errs)
    return wrong is not None and (words[wrong - 1] in _BE | _ABOUT_ERROR or words[wrong] in _MISTOOK)


def _names_error(words: Sequence[str], at: int) -> bool:
    return words[at] in ERROR_NOUNS


def _is_set(words: Sequence[str], at: int) -> bool:
    """Whether the chance of the answer stands at a position: "I would put the chance at", "the chance that it is"."""
    of_answer = words[at + 1] in {"that", "of"} and words[at + 2] in {"it", "this", "i"}
    return words[at] in NUMBER_NOUNS and (of_answer or (at > 1 and words[at - 2] in _SETS))


def _first(words: Sequence[str], places: range, wanted: Callable[[Sequence[str], int], bool]) -> int | None:
    """The first of the places that is wanted, within the clause."""
    for place in places:
        if words[place] in CLAUSE_MARKS:
            return None
        if wanted(words, place):
            return place
    return None


def _alone(words: Sequence[str], start: int, end: int) -> bool:
    if end < len(words) and words[end] in NUMBER_NOUNS | _CASES:
        return True
    before = words[start - 1] if start else "."
    after = words[end] if end < len(words) else "."
    bounded = (
        before in _BOUNDS and words[start - 2 : start - 1] and words[start - 2] in {"is", "are", "less", "at"}
    )
    return (before in CLAUSE_MARKS | ROUGHLY | {"is", "are"} or bounded) and (
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
