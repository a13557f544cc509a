"""Doubt of one answer that the next clause replaces: "I don't think it is Lagos; it is Abuja" is sure of Abuja."""

from collections.abc import Sequence

from ralc.english.normalisation import set_of
from ralc.english.numbers import says_wrong
from ralc.english.scopes import scope_of
from ralc.english.word_sets import CLAUSE_MARKS, SENTENCE_ENDS

_REJECTING = set_of("doubt unlikely probably_not improbable impossible")
_OTHERS = set_of("reported majority alleged presume disputed")
_TURNS = set_of("but so instead rather and")
_CONCESSIVE = set_of("although though while")
_REASONS = set_of("because since as for")
_CLAIMS = frozenset(
    (subject, verb)
    for subject, verbs in {
        "it": "is was must",
        "they": "are were",
        "he": "is was",
        "she": "is was",
        "answer": "is was",
    }.items()
    for verb in verbs.split()
)

#: "I doubt that I am wrong" is sure.
_DISBELIEVED = set_of("slight remote almost_none improbable unlikely impossible doubt")
_HARDLY = set_of(
    "unlikely improbable doubt impossible no small slim slight tiny remote little minimal negligible"
)
CLAUSE_REACH = 40  # tokens to either side; keeps the work linear in texts without punctuation


def set_aside(name: str, start: int, end: int, words: Sequence[str]) -> bool:
    """Return whether what a cue speaks of is set aside by the claim of the next clause.

    >>> set_aside("doubt", 1, 4, "i do not think it is lagos ; it is abuja".split())
    True
    >>> set_aside("doubt", 1, 4, "i do not think it is lagos .".split())
    False

    A name is an empty word (`ralc.english.cues`).

    >>> set_aside("doubt", 1, 4, [*"i do not think it is".split(), "", ",", "it", "is", "", "."])
    True
    """
    if name in _DISBELIEVED and says_wrong(words, end):
        return True
    if name == "wrong" and not _HARDLY.isdisjoint(words[_clause_start(words, start) : start]):
        return True
    if name not in _REJECTING and name not in _OTHERS:
        return False
    stop = min(len(words), end + CLAUSE_REACH)
    place = end
    while place < stop and words[place] not in CLAUSE_MARKS and words[place] not in {"but", "so"}:
        place += 1
    if (place - end < 2 and name in _REJECTING) or scope_of(words[end:place]):
        return (
            False  # "I am doubtful, but it is ..." and "I doubt that the rest is right" reject nothing else
        )
    place, turned = _turn(name, place, stop, words)
    if name in _OTHERS and _is_countered(start, end, place, words):
        return True
    return _claims_another(name, place, turned, words)


def _turn(name: str, place: int, stop: int, words: Sequence[str]) -> tuple[int, bool]:
    """Where the next clause begins, behind the reasons for a doubt, and whether something turns to it."""
    if name in _REJECTING and words[place + 1 : place + 2] and words[place + 1] in _REASONS:
        place = next((at for at in range(place + 1, stop) if words[at] in SENTENCE_ENDS), stop)
    turned = False
    while place < stop and (words[place] in CLAUSE_MARKS or words[place] in _TURNS):
        turned = turned or words[place] in {"but", ";", ".", "so", "instead", "rather"}
        place += 1
    return place, turned


def _is_countered(start: int, end: int, place: int, words: Sequence[str]) -> bool:
    """Whether what others say is conceded, or answered: "Many say Sydney, but the capital of Australia is Canberra"."""
    if words[_clause_start(words, start)] in _CONCESSIVE and place < min(len(words), end + CLAUSE_REACH):
        return True
    own = {"i", "we", "my"} & {*words[_clause_start(words, start) : end], *words[place : place + 1]}
    return not own and "" in words[place : _rest(place, words).stop] and words[place - 1] == "but"


def _claims_another(name: str, place: int, turned: bool, words: Sequence[str]) -> bool:
    """Whether a clause claims what stands in the place of what a cue speaks of."""
    if words[place : place + 1] and words[place] in {"i", "we"}:
        place += 2  # "I think it is Abuja"
    claim, said = tuple(words[place : place + 2]), words[place + 2 : place + 3]
    if claim[:1] == ("the",) and ("answer" in claim or words[place + 3 : place + 4] == [""]):
        claim = ("answer", *said)  # "the capital is Rome"
    # "I don't think it is Sydney, it is Canberra": a name stands in the other's place.
    turned = turned or (name in _REJECTING and said == [""])
    return turned and claim in _CLAIMS and (name in _REJECTING or words[place - 1] == "but")


def _rest(at: int, words: Sequence[str]) -> range:
    """The positions after one, to the end of its sentence."""
    stop = min(len(words), at + CLAUSE_REACH)
    return range(at + 1, next((place for place in range(at, stop) if words[place] in SENTENCE_ENDS), stop))


def _clause_start(words: Sequence[str], at: int) -> int:
    """Where the clause of a position begins."""
    start = at
    while start > max(0, at - CLAUSE_REACH) and words[start - 1] not in CLAUSE_MARKS:
        start -= 1
    return start
